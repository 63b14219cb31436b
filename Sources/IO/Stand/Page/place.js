// Bar and beat in the strip above the score.

import { find, make } from './dom.js';

const MOST = 16; // dots: more cannot be counted at a glance
const CROWDED = { some: 4, many: 6, most: MOST + 1 }; // dots from which a window of 360, 700 px, or any, has the number

export class Place {
    #shown = '';
    #of = 0;

    /** `isKnown`: whether the server's time is. */
    show(position, score, isKnown) {
        const { isCountIn, bar: at, beat } = position ?? {};
        const text = `${isKnown} ${isCountIn} ${at} ${beat} ${position?.of} ${score?.id} ${score?.first}`;
        if (text === this.#shown) return;
        this.#shown = text;
        const of = position?.of ?? 0;
        if (of !== this.#of) {
            this.#of = of;
            find('beats').replaceChildren(...Array.from({ length: Math.min(of, MOST) }, () => make('i')));
            // A row of so many does not fit beside the buttons of a small window, which shows the number instead.
            for (const [name, least] of Object.entries(CROWDED)) find('beats').classList.toggle(name, of >= least);
        }
        const dots = Array.from(find('beats').children);
        dots.forEach((dot, index) => dot.classList.toggle('now', index === position.beat - 1));
        find('count').textContent = position ? `${beat}/${of}` : '';
        const bar = position?.isCountIn ? 'Count-in' : `Bar ${number(position?.bar, score)}`;
        find('bar').textContent = position ? bar : isKnown ? 'Stopped' : '–';
    }
}

/** As it is printed, where the score's bars are known. */
function number(bar, score) {
    return score?.played(bar)?.number ?? bar;
}
