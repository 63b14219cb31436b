// Bar and beat in the strip above the score.

import { find, make } from './dom.js';

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
            find('beats').replaceChildren(...Array.from({ length: Math.min(of, 16) }, () => make('i')));
        }
        const dots = Array.from(find('beats').children);
        dots.forEach((dot, index) => dot.classList.toggle('now', index === position.beat - 1));
        const bar = position?.isCountIn ? 'Count-in' : `Bar ${number(position?.bar, score)}`;
        find('bar').textContent = position ? bar : isKnown ? 'Stopped' : '–';
    }
}

/** As it is printed, where the score's bars are known. */
function number(bar, score) {
    return score?.played(bar)?.number ?? bar;
}
