// What the server's clock shows, told from this device's clock by pings.
// Times are milliseconds: `performance.now()` here, CLOCK_MONOTONIC there.

const BUCKET = 10_000; // ms; of each, the ping with the shortest round trip is kept
const SPAN = 120_000; // ms through which the line is drawn; longer, and a warming quartz bends it
const NOISE = 0.5; // ms of round trip above the best that halve a ping's trust, more or less
const PRIOR = 200e-6; // a slope this steep needs pings that outweigh one standard deviation; a quartz is off by 100 ppm
const LEAP = 50; // ms that no drift explains between two bursts
const STEEPEST = 1_000e-6; // ten times what a quartz is off; a test serves a clock 500 ppm off

export class Clock {
    #best = new Map(); // bucket -> {time, roundTrip, offset}
    #anchor = 0;
    #offset = 0;
    #slope = 0;
    #error = Infinity;

    /** A ping sent and answered at our times, read and answered by the server at its own. */
    add(sent, received, read, answered) {
        const ping = {
            time: (sent + received) / 2,
            roundTrip: received - sent - (answered - read),
            offset: (read - sent + answered - received) / 2,
        };
        if (this.isSet && this.#contradicts(ping)) this.reset();
        const bucket = Math.floor(ping.time / BUCKET);
        const best = this.#best.get(bucket);
        if (best && best.roundTrip <= ping.roundTrip) return;
        this.#best.set(bucket, ping);
        for (const key of this.#best.keys()) if (key < bucket - SPAN / BUCKET) this.#best.delete(key);
        this.#fit();
    }

    serverTime(local) {
        return local + this.#offset + this.#slope * (local - this.#anchor);
    }

    localTime(server) {
        return (server - this.#offset + this.#slope * this.#anchor) / (1 + this.#slope);
    }

    /** Half the best round trip: what no filter can see. Infinity before the first ping. */
    get error() {
        return this.#error;
    }

    get isSet() {
        return this.#best.size > 0;
    }

    get slope() {
        return this.#slope;
    }

    /** A ping is wrong by half its round trip at most. Beyond, a clock has leapt, as a tablet's does in its sleep. */
    #contradicts(ping) {
        const offset = this.serverTime(ping.time) - ping.time;
        return Math.abs(ping.offset - offset) > ping.roundTrip / 2 + LEAP;
    }

    /** Nothing known holds. */
    reset() {
        this.#best.clear();
        this.#slope = 0;
        this.#error = Infinity;
    }

    #fit() {
        const pings = [...this.#best.values()];
        const shortest = Math.min(...pings.map((ping) => ping.roundTrip));
        let sum = 0, time = 0, offset = 0;
        for (const ping of pings) {
            ping.weight = 1 / (ping.roundTrip - shortest + NOISE) ** 2;
            sum += ping.weight;
            time += ping.weight * ping.time;
            offset += ping.weight * ping.offset;
        }
        time /= sum;
        offset /= sum;
        let spread = 1 / PRIOR ** 2, rise = 0;
        for (const ping of pings) {
            spread += ping.weight * (ping.time - time) ** 2;
            rise += ping.weight * (ping.time - time) * (ping.offset - offset);
        }
        this.#anchor = time;
        this.#offset = offset;
        this.#slope = Math.max(-STEEPEST, Math.min(STEEPEST, rise / spread));
        this.#error = shortest / 2;
    }
}

const FIRST = 12; // pings on connecting, so that the first second already has a good one
const BURST = 5; // the first of a burst wakes a sleeping radio for the others

/** Milliseconds from ping number `count` (from 1) to the next. */
export function pause(count) {
    if (count < FIRST) return 60;
    return (count - FIRST) % BURST ? 30 : 5_000;
}
