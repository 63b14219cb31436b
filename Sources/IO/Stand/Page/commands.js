// What is asked of the server: each with an identity, so that asking twice does nothing twice.

import { newID } from './dom.js';

const SLOWEST = 1, FASTEST = 1_000; // beats a minute: what the metronome plays
const PATIENCE = 5_000; // ms; a start that comes later than this is no longer meant

/** The tempo that was typed, such as 92.5, 92,5 or 100/3, as far as the metronome plays it; null if it is none. */
export function typedTempo(text) {
    const [above, below = '1', ...rest] = text.replace(',', '.').split('/');
    const tempo = rest.length || !below.trim() ? NaN : Number(above) / Number(below);
    return Number.isFinite(tempo) && tempo > 0 ? Math.max(SLOWEST, Math.min(FASTEST, tempo)) : null;
}

export class Commands {
    /** @type {(refusal: {problem: string, remedy: string}) => void} */
    onRefusal = () => {};
    #link;
    #clock;
    #waiting = new Map();

    constructor(link, clock) {
        this.#link = link;
        this.#clock = clock;
        link.on('done', ({ id }) => this.#waiting.delete(id));
        link.on('refused', (message) => {
            this.#waiting.delete(message.id);
            this.onRefusal(message);
        });
        link.on('open', () => this.#repeat());
    }

    /** `pressed`: the press's moment, of `performance.now()`; an event's `timeStamp` is one.
     *  @param {string} command
     *  @param {{pressed?: number, when?: string, value?: any}} how */
    give(command, { pressed = performance.now(), when = 'now', value } = {}) {
        if (!this.#clock.isSet) {
            this.onRefusal({ problem: 'There is no connection to the metronome yet.', remedy: 'Wait a moment.' });
            return;
        }
        const at = Math.round(this.#clock.serverTime(pressed) * 1e6);
        const message = { type: 'command', id: newID(), do: command, when, at };
        if (value !== undefined) message.value = value;
        this.#waiting.set(message.id, { message, pressed });
        setTimeout(() => this.#expire(message.id), PATIENCE);
        if (this.#link.isOpen && this.#link.send(message)) return;
        this.onRefusal({ problem: 'There is no connection.', remedy: 'It is sent if that comes back at once.' });
    }

    /** Without a connection nobody has heard it, and nobody will. */
    #expire(id) {
        if (this.#link.isOpen || !this.#waiting.delete(id)) return;
        this.onRefusal({ problem: 'There was no connection: that has had no effect.', remedy: 'Go to the metronome.' });
    }

    #repeat() {
        for (const [id, { message, pressed }] of this.#waiting) {
            if (performance.now() - pressed > PATIENCE) this.#waiting.delete(id); else this.#link.send(message);
        }
    }
}
