// Where the music is at a moment: linear between the heard times of the beats.

const KEPT = 16; // beats behind the present, for a bar that is still shown or felt
const HALT = 4; // times its served length that a beat lasts at the seam of two courses: nothing sounded meanwhile
const PAUSE = 4_000; // ms; shorter, and a command may have come late
const MODEL = 32; // beats among which one like the next is looked for: the last bar of any usual metre
const MOST = 10_000; // beats made up at once: half an hour without a server at 300 a minute

export class Course {
    revision = -1;
    isRunning = false;
    bpm = null;
    #beats = []; // {n, time (server's ms), bar, beat, of, level, bpm}, in order

    /** Takes the server's word on the beats to come. What was heard before `now` stays. */
    update(message, now) {
        const beats = message.beats.map((beat) => ({ ...beat, time: beat.t / 1e6 }));
        const known = this.#beats.filter((beat) => !beat.isGuess);
        if (message.revision < this.revision) return;
        if (!message.isRunning) {
            this.#beats = [];
        } else if (message.revision === this.revision && beats.length) {
            this.#beats = [...known.filter((beat) => beat.n < beats[0].n), ...beats];
        } else {
            const first = beats.length ? beats[0].time : now;
            const heard = known.filter((beat) => beat.time < Math.min(first - 1, now)).slice(-KEPT);
            this.#beats = [...this.#upTo(first, heard), ...beats];
        }
        this.revision = message.revision;
        this.isRunning = message.isRunning;
        this.bpm = message.bpm ?? beats[0]?.bpm ?? this.bpm;
    }

    /** The metronome has ended. */
    end() {
        this.#beats = [];
        this.isRunning = false;
    }

    /** A server started anew counts its revisions anew. */
    forget() {
        this.revision = -1;
    }

    /** The beat that sounds at `time` and how much of it is over, 0 to 1. Null before the first and when stopped. */
    at(time) {
        const index = this.#indexAt(time);
        if (index < 0) return null;
        const beat = this.#beats[index], next = this.#beats[index + 1];
        const end = beat.end ?? next.time, phase = Math.min(1, (time - beat.time) / (end - beat.time));
        const position = { ...beat, end, phase, isCountIn: Boolean(beat.countIn) || beat.bar < 1 };
        // A count-in shows where the music will begin.
        const isMusic = (each) => !each.countIn && each.bar > 0;
        if (position.isCountIn) position.bar = this.#beats.slice(index).find(isMusic)?.bar ?? 1;
        return position;
    }

    /** The beats that begin after `time` and no later than `until`. */
    between(time, until) {
        this.#extend(until);
        return this.#beats.filter((beat) => beat.time > time && beat.time <= until);
    }

    /** The beat that sounds at `time` and those of its bar that follow, up to the next bar's first. */
    barFrom(time) {
        const index = this.#beats.findIndex((beat) => beat.time >= time);
        if (index < 0) return [];
        const bar = this.#beats[index].bar;
        let end = index;
        while (end < this.#beats.length && this.#beats[end].bar === bar) end += 1;
        return this.#beats.slice(index, end);
    }

    #indexAt(time) {
        if (!this.isRunning || !this.#beats.length || time < this.#beats[0].time) return -1;
        this.#extend(time);
        let low = 0, high = this.#beats.length - 1;
        while (low < high) {
            const middle = (low + high + 1) >> 1;
            if (this.#beats[middle].time <= time) low = middle; else high = middle - 1;
        }
        if (low > 2 * KEPT + 64) { this.#beats.splice(0, low - KEPT); low = KEPT; }
        return time >= this.#beats[low].end ? -1 : low;
    }

    /** Beats of an earlier course, before another one begins at `first`. Where that is long after the last of them
     *  should have ended, it ends. Within one course a long beat is a slow one. */
    #upTo(first, heard) {
        const last = heard.at(-1);
        if (!last) return heard;
        const next = this.#beats.find((beat) => beat.time > last.time);
        const served = next ? next.time - last.time : 60_000 / last.bpm, lasts = first - last.time;
        const isGap = lasts > HALT * served && lasts > PAUSE;
        return isGap ? [...heard.slice(0, -1), { ...last, end: last.time + served }] : heard;
    }

    /** Without news from the server the last tempo and metre go on, until one beat is known beyond `until`. */
    #extend(until) {
        if (!this.isRunning) return;
        for (let left = MOST; left > 0 && this.#beats.length && this.#beats.at(-1).time <= until; left -= 1) {
            const last = this.#beats.at(-1), before = this.#beats.at(-2);
            // A plan may end with a slow beat, or go on after one.
            const pace = before ? before.bpm / last.bpm : NaN;
            const interval = before ? (last.time - before.time) * (pace > 0 ? pace : 1) : 60_000 / last.bpm;
            if (!(interval > 0)) return;
            const isLast = last.beat >= last.of;
            const beat = isLast ? 1 : last.beat + 1, bar = isLast ? last.bar + 1 : last.bar;
            const isLike = (each) => each.beat === beat && each.of === last.of;
            const model = this.#beats.slice(-MODEL).reverse().find(isLike) ?? last;
            const time = last.time + interval;
            this.#beats.push({ ...last, n: last.n + 1, time, beat, bar, level: model.level, isGuess: true });
        }
    }
}
