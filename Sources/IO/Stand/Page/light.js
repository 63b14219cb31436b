// A light at the edge of the page on the beat, by the frame whose time is nearest.

import { prefersStillness } from './dom.js';
import { FlashLimiter } from './flashes.js';

const LONGEST = 120; // ms
const SHARE = 0.4; // of a beat at most, so that there is dark between

export class Light {
    isOn = true;
    delay = 0; // ms; the device's slider
    /** @type {(beat: any, time: number, frame: number) => void} */
    onFlash = () => {};
    #element;
    #limiter = new FlashLimiter();
    #until = 0;
    #seen = null;

    constructor(element) {
        this.#element = element;
    }

    /** Draws for a frame that is seen at `time`, server's ms, `frame` ms long. */
    draw(course, time, frame) {
        const moment = time - this.delay + frame / 2;
        const beat = course.at(moment);
        if (beat && beat.time !== this.#seen) {
            const isNew = this.#seen === null || beat.time > this.#seen || beat.time < this.#seen - 1_000;
            this.#seen = beat.time;
            // A frame that is late by more than its own length shows none: better none than a late one.
            const length = Math.min(LONGEST, (beat.end - beat.time) * SHARE);
            const isInTime = moment - beat.time < 1.5 * frame;
            if (isNew && this.#limiter.allows(beat, beat.time) && isInTime && this.isOn && !prefersStillness.matches) {
                this.#until = beat.time + length;
                this.#element.dataset.beat = beat.beat === 1 ? 'first' : 'other';
                this.#element.classList.add('lit');
                this.onFlash(beat, time, frame);
            }
        }
        if (this.#until && (!beat || moment >= this.#until || moment < this.#until - 1_000)) {
            this.#until = 0;
            this.#element.classList.remove('lit');
        }
    }
}
