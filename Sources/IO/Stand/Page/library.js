// Scores and set lists to choose from.

import { find, make } from './dom.js';

export class Library {
    /** @type {(score: string) => void} */
    onOpen = () => {};
    /** @type {(index: number) => void} */
    onEntry = () => {};
    /** @type {any} */
    #welcome = { scores: [], sets: [] };
    #score = null;
    #entry = null;

    update(welcome) {
        this.#welcome = welcome;
        this.#entry = welcome.entry ?? null;
        this.#build();
    }

    /** Which score is open and which entry is played. */
    mark(what) {
        this.#score = what.score ?? this.#score;
        this.#entry = what.entry ?? this.#entry;
        this.#build();
    }

    has(score) {
        return this.#welcome.scores.some((each) => each.id === score);
    }

    #build() {
        let index = -1;
        find('sets').replaceChildren(...(this.#welcome.sets ?? []).map((set) => {
            const list = make('ol', {}, ...set.entries.map((entry) => {
                index += 1;
                const note = entry.score ? '' : 'no pages';
                return this.#row(entry.title, note, index === this.#entry, this.#chooser(index));
            }));
            return make('section', {}, make('h3', { textContent: set.name }), list);
        }));
        const { scores } = this.#welcome, isNone = !scores.length;
        find('scores').replaceChildren(...scores.map((score) => {
            const note = score.pages === 1 ? '1 page' : `${score.pages} pages`;
            return this.#row(score.title, note, score.id === this.#score, () => this.onOpen(score.id));
        }));
        if (isNone) find('scores').append(make('li', { textContent: 'The folder has no PDF, PNG or JPEG.' }));
    }

    #chooser(index) {
        return () => this.onEntry(index);
    }

    #row(title, note, isCurrent, choose) {
        const words = [make('span', { textContent: title }), make('small', { textContent: note })];
        const button = make('button', { type: 'button' }, ...words);
        if (isCurrent) button.setAttribute('aria-current', 'true');
        button.onclick = () => {
            find('library').close();
            choose();
        };
        return make('li', {}, button);
    }
}
