// Beats that are felt: one pattern a bar, so that inside a bar the system keeps time.
import { pattern } from './pattern.js';

const RISE = 20; // ms that a motor needs to be felt; the slider moves this
const EARLY = 3; // ms before the moment at which the timer wakes us; a timer is 0.15 ms late at p50, 1.6 at p95
const COARSE = 30; // ms; Chromium aligns timers of 32 ms and more to 8 ms
const LOOK = 500; // ms ahead at which a bar is planned: after that, only a new revision changes it. May be several bars

export const canVibrate = typeof navigator !== 'undefined' && typeof navigator.vibrate === 'function';

export class Vibration {
    isOn = false;
    delay = 0; // ms; the device's slider
    #course;
    #clock;
    #timers = new Set(); // {id} of each bar that is planned and not felt yet
    #planned = null;

    constructor(course, clock) {
        this.#course = course;
        this.#clock = clock;
    }

    /** Called often: plans the next bars in time, and again if the course has changed. */
    plan() {
        if (!this.isOn || !canVibrate || !this.#clock.isSet) return;
        if (!this.#course.isRunning) return this.#planned && this.stop();
        const now = this.#clock.serverTime(performance.now()) + RISE - this.delay;
        if (this.#planned?.revision !== this.#course.revision) this.#forget();
        for (;;) {
            const from = Math.max(now + EARLY, this.#planned ? this.#planned.end - 1 : 0);
            const [beat] = this.#course.between(from, now + LOOK);
            if (!beat) return;
            this.#planBar(beat);
        }
    }

    #planBar(beat) {
        const beats = this.#course.barFrom(beat.time);
        const last = beats.at(-1), end = last.time + 60_000 / Math.max(last.bpm, 1);
        const next = this.#course.between(last.time, end + 1_000)[0]?.time ?? end;
        this.#planned = { revision: this.#course.revision, end: next };
        const bar = pattern(beats, next);
        if (bar) this.#wait(this.#clock.localTime(bar.time) - RISE + this.delay, bar, { id: 0 });
    }

    stop() {
        this.#forget();
        if (canVibrate) navigator.vibrate(0);
    }

    #forget() {
        for (const timer of this.#timers) clearTimeout(timer.id);
        this.#timers.clear();
        this.#planned = null;
    }

    /** In two steps: browsers wake long timers by a coarse clock, to save power, and short ones when they are due. */
    #wait(at, bar, timer) {
        this.#timers.add(timer);
        const left = at - performance.now();
        if (left > COARSE) timer.id = setTimeout(() => this.#wait(at, bar, timer), left - COARSE);
        else timer.id = setTimeout(() => this.#call(at, bar, timer), Math.max(0, left - EARLY));
    }

    #call(at, bar, timer) {
        this.#timers.delete(timer);
        while (performance.now() < at) { /* the last 3 ms: a timer is not exact enough */ }
        navigator.vibrate(bar.steps);
    }
}
