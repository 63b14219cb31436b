// Bar and beat in the strip above the score.

import { find, make } from './dom.js';

export class Place {
    #shown = '';
    #of = 0;

    show(position, score) {
        const text = position ? `${position.isCountIn} ${position.bar} ${position.beat} ${position.of}` : '';
        if (text === this.#shown) return;
        this.#shown = text;
        const of = position?.of ?? 0;
        if (of !== this.#of) {
            this.#of = of;
            find('beats').replaceChildren(...Array.from({ length: Math.min(of, 16) }, () => make('i')));
        }
        Array.from(find('beats').children).forEach((dot, index) => dot.classList.toggle('now', index === position.beat - 1));
        find('bar').textContent = !position ? '–' : position.isCountIn ? 'Count-in' : `Bar ${number(position.bar, score)}`;
    }
}

/** As it is printed, where the score's bars are known. */
function number(bar, score) {
    return score?.played(bar)?.number ?? bar;
}
