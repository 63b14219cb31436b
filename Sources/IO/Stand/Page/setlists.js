// Set lists: songs in an order of one's own, kept by the server, changed on any device.

import { typedTempo } from './commands.js';
import { find, make, newID } from './dom.js';

const LONGEST = 80; // characters of a list's name

/** A tempo as it is written: 100/3 has more digits than anybody reads. */
export function shownTempo(tempo) {
    return tempo ? String(Math.round(tempo * 1_000) / 1_000) : '';
}

/** A list as rows with what changes them. `send(change)` tells the server; `done()` ends the changes. */
export function editor(set, scores, { send, done }) {
    const change = (action, more = {}) => send({ type: 'setlist', do: action, set: set.id, ...more });
    const name = make('input', { value: set.name, maxLength: LONGEST, autocomplete: 'off' });
    name.dataset.key = 'name';
    name.onchange = () => { if (name.value.trim()) change('name', { name: name.value.trim() }); };
    const rows = set.entries.map((song, index) => row(song, index, set.entries, change));
    const none = make('p', { className: 'hint', textContent: 'No songs yet: add some below.' });
    const songs = rows.length ? make('ol', { className: 'songs' }, ...rows) : none;
    const more = make('ul', {}, ...scores.map((score) => {
        const words = [make('span', { textContent: score.title }), make('small', { textContent: 'add' })];
        const button = make('button', { type: 'button' }, ...words);
        button.dataset.key = `add ${score.id}`;
        button.onclick = () => change('add', { song: newID(), score: score.id });
        return make('li', {}, button);
    }));
    const remove = make('button', { type: 'button', textContent: 'Delete this list' });
    remove.onclick = () => {
        // Nobody loses an evening's list by one wrong touch.
        if (remove.dataset.sure) {
            change('remove');
            done();
        } else {
            remove.dataset.sure = 'yes';
            remove.textContent = 'Really delete it';
        }
    };
    const end = make('button', { type: 'button', className: 'main', textContent: 'Done', id: 'set-done' });
    end.onclick = done;
    end.dataset.key = 'done';
    const field = make('label', { className: 'field wide' }, make('span', { textContent: 'Name' }), name);
    return [
        make('section', { className: 'editing' }, field, songs),
        make('section', {}, make('h3', { textContent: 'Add a score' }), more),
        make('div', { className: 'buttons' }, remove, end),
    ];
}

/** A new list, which everybody sees at once. Returns its id, or null where it could not be made. */
export function newList(sets, send) {
    const names = new Set(sets.map((set) => set.name)), set = newID();
    let name = 'Set list';
    for (let count = 2; names.has(name); count += 1) name = `Set list ${count}`;
    return send({ type: 'setlist', do: 'name', set, name }) ? set : null;
}

/** Runs `build`, which replaces what is in an element; what had the focus there has it again. */
export function keepingFocus(element, build) {
    const key = element.contains(document.activeElement) ? document.activeElement.getAttribute('data-key') : null;
    build();
    if (!key) return;
    const all = Array.from(element.querySelectorAll('[data-key]'));
    const focused = all.find((each) => each.getAttribute('data-key') === key);
    (focused?.disabled ? find('set-done') : focused)?.focus();
}

function row(song, index, songs, change) {
    const tempo = make('input', {
        value: shownTempo(song.tempo), inputMode: 'decimal', placeholder: 'tempo', autocomplete: 'off',
        ariaLabel: `Tempo of ${song.title}, beats a minute`,
    });
    tempo.dataset.key = `tempo ${song.id}`;
    tempo.onchange = () => {
        const typed = typedTempo(tempo.value);
        tempo.value = shownTempo(typed);
        change('tempo', { song: song.id, tempo: typed ?? undefined });
    };
    const button = (key, words, text, action, disabled = false) => {
        const made = make('button', { type: 'button', textContent: text, disabled });
        made.ariaLabel = `${words} ${song.title}`;
        made.dataset.key = `${key} ${song.id}`;
        made.onclick = action;
        return made;
    };
    const move = (after) => () => change('move', { song: song.id, after });
    return make('li', {}, make('span', { textContent: song.title }), tempo,
        button('up', 'Move up', '↑', move(songs[index - 2]?.id), index === 0),
        button('down', 'Move down', '↓', move(songs[index + 1]?.id), index === songs.length - 1),
        button('drop', 'Take off the list:', '×', () => change('drop', { song: song.id })));
}
