// Scores and set lists to choose from.

import { find, make } from './dom.js';
import { editor, keepingFocus, newList, shownTempo } from './setlists.js';

const files = (count) => (count === 1 ? '1 file' : `${count} files`);

export class Library {
    /** @type {(score: string) => void} */
    onOpen = () => {};
    /** @type {(index: number) => void} */
    onEntry = () => {};
    /** @type {(song: string) => void} */
    onSong = () => {};
    /** @type {any} */
    #welcome = { scores: [], sets: [], leftOut: { files: [], further: 0, unread: 0, coming: 0 } };
    #score = null;
    #entry = null;
    #song = null;
    #edited = null; // the id of the list that is being changed
    #drawn = ''; // what the page shows of that list
    #send;

    /** `send(message)` tells the server; false where it cannot, and nothing is changed. */
    constructor(send) {
        this.#send = (message) => {
            const isSent = send(message);
            if (!isSent) {
                // What was typed has had no effect.
                this.#drawn = '';
                this.#build();
            }
            return isSent;
        };
        find('set-new').onclick = () => {
            this.#edited = newList(this.#welcome.sets, this.#send);
            this.#build();
        };
        find('library').addEventListener('close', () => this.#leave());
    }

    update(welcome) {
        this.#welcome = { ...this.#welcome, ...welcome };
        this.#build();
    }

    /** Which score is open, and which entry or song is played. */
    mark(what) {
        if ('score' in what) this.#score = what.score;
        if ('entry' in what) [this.#entry, this.#song] = [what.entry, what.song ?? null];
        this.#build();
    }

    has(score) {
        return this.#welcome.scores.some((each) => each.id === score);
    }

    /** The score of this title; null without one. */
    named(title) {
        return this.#welcome.scores.find((each) => each.title === title)?.id ?? null;
    }

    /** Whether the folder is still being read. */
    get isComing() {
        return this.#welcome.leftOut.coming > 0;
    }

    /** Why there are no scores. */
    get lack() {
        const { coming } = this.#welcome.leftOut;
        return coming ? `The folder is being read: ${files(coming)} to go.` : 'The folder has no PDF, PNG or JPEG.';
    }

    /** The first of these scores that is there, or else the first of all; null without any. */
    choice(ids) {
        return [...ids, this.#welcome.scores[0]?.id].find((id) => id && this.has(id)) ?? null;
    }

    #leave() {
        this.#edited = null;
        this.#build();
    }

    #build() {
        keepingFocus(find('library'), () => {
            const { sets, scores, leftOut } = this.#welcome;
            const edited = sets.find((set) => set.id && set.id === this.#edited);
            find('set-new').hidden = Boolean(edited);
            find('all-scores').hidden = Boolean(edited);
            const drawn = edited ? JSON.stringify([edited, scores]) : '';
            // While the music goes on, news come that do not concern the list. Half a name, or a question that waits
            // for its answer, must outlive them.
            if (edited && drawn !== this.#drawn) {
                const means = { send: this.#send, done: () => this.#leave() };
                find('sets').replaceChildren(...editor(edited, scores, means));
            } else if (!edited) this.#list(sets, scores);
            this.#drawn = drawn;
            this.#tellLeftOut(edited ? null : leftOut);
        });
    }

    #list(sets, scores) {
        find('sets').replaceChildren(...sets.map((set) => {
            const rows = set.entries.map((entry, index) => {
                const isCurrent = entry.id ? entry.id === this.#song : this.#song === null && index === this.#entry;
                const note = entry.score ? (entry.tempo ? `${shownTempo(entry.tempo)} a minute` : '') : 'no pages';
                const choose = entry.id ? () => this.onSong(entry.id) : () => this.onEntry(index);
                return this.#row(entry.title, note, isCurrent, choose);
            });
            const head = make('header', {}, make('h3', { textContent: set.name }));
            if (set.id) {
                const edit = make('button', { type: 'button', className: 'player', textContent: 'Change' });
                edit.ariaLabel = `Change ${set.name}`;
                edit.onclick = () => {
                    this.#edited = set.id;
                    this.#build();
                };
                head.append(edit);
            }
            const none = make('p', { className: 'hint', textContent: 'No songs yet.' });
            return make('section', {}, head, rows.length ? make('ol', {}, ...rows) : none);
        }));
        find('scores').replaceChildren(...scores.map((score) => {
            const note = score.pages === 1 ? '1 page' : `${score.pages} pages`;
            // Of several of one title the files.
            return this.#row(score.file ?? score.title, note, score.id === this.#score, () => this.onOpen(score.id));
        }));
        if (!scores.length) find('scores').append(make('li', { textContent: this.lack }));
    }

    /** Files of the folder that are not among the scores, and why. */
    #tellLeftOut(left) {
        const rows = (left?.files ?? []).map(({ file, problem, remedy }) => `${file}: ${problem}; ${remedy}.`);
        if (left?.coming) rows.unshift(`${files(left.coming)} still to be read.`);
        if (left?.further) rows.push(`${left.further} more files are no scores.`);
        if (left?.unread) rows.push(`${left.unread} more files were not read: a folder has room for 2000 scores.`);
        find('left-out').hidden = !rows.length;
        find('left-out-files').replaceChildren(...rows.map((textContent) => make('li', { textContent })));
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
