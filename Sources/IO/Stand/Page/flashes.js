// Which beats flash: never four in a second.

// No four flashes in any second (WCAG 2.3.1): a third of a second apart at least.
const APART = 1_000 / 3;
const FASTEST = 180; // beats a minute with a light each; above, the first of each bar only

/** Which beats flash: a rule of the beats alone, so that every device shows the same ones. */
export class FlashLimiter {
    #last = -Infinity;

    /** Asked once for each beat, in order; `time` in ms. */
    allows(beat, time) {
        if (beat.level === 0) return false;
        if (beat.bpm > FASTEST && beat.beat !== 1) return false;
        // A millisecond of grace: beats at exactly 180 a minute are a third of a second apart but for rounding.
        if (this.#last - time > 1_000) this.#last = -Infinity; // another server's clock
        if (time - this.#last < APART - 1) return false;
        this.#last = time;
        return true;
    }
}
