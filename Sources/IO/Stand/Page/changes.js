// What was corrected here and the server has not confirmed: bars, orders, set lists. It waits for a network that is
// gone, and outlives a closed page.

import { newID } from './dom.js';

const KEY = 'stand.change.';
const PACE = 50; // ms between two: a tenth of what the server takes from a device, whatever else goes on

export class Changes {
    /** Something waits for a connection. */
    onWait = () => {};
    /** The server does not take a message, and has said why.
     *  @type {(message: any) => void} */
    onRefusal = () => {};
    /** The server cannot read something, and never will. */
    onLoss = () => {};
    #link;
    #entries = stored(); // {id, place: when it was made, about: what it replaces, message}, in order
    #sent = null; // id of the one on its way: one at a time, so that they arrive in order
    #timer = 0;

    constructor(link) {
        this.#link = link;
        link.on('open', () => {
            this.#sent = null;
            this.#next();
        });
        link.on('close', ({ isUnreadable }) => {
            if (isUnreadable && this.#settle(this.#sent)) this.onLoss();
            this.#sent = null;
        });
        link.on('done', ({ id }) => this.#settle(id));
        link.on('refused', ({ id }) => {
            const entry = this.#settle(id);
            if (entry) this.onRefusal(entry.message);
        });
    }

    /** Sends a message now or later, in place of an earlier one about the same thing. */
    send(message) {
        const id = newID(), about = subject(message) ?? id;
        for (const old of this.#entries.filter((each) => each.about === about)) this.#forget(old);
        const place = Math.max(Date.now(), (this.#entries.at(-1)?.place ?? 0) + 1);
        const entry = { id, place, about, message };
        this.#entries.push(entry);
        try { localStorage.setItem(KEY + id, JSON.stringify(entry)); } catch { /* kept until the page closes */ }
        if (!this.#link.isOpen) this.onWait();
        this.#next();
    }

    /** How many wait for the server. */
    get waiting() {
        return this.#entries.length;
    }

    /** A score as the server tells it, with what it has not heard yet. */
    over(score) {
        const mine = this.#entries.map((entry) => entry.message).filter((message) => message.score === score.id);
        if (!mine.length) return score;
        const doubts = new Set(score.doubts ?? []), news = { ...score, doubts: [] };
        news.systems = (score.systems ?? []).map((each, index) => ({ ...each, isDoubtful: doubts.has(index) }));
        for (const { type, page, systems, text, first } of mine) {
            if (type === 'order') Object.assign(news, { order: text, first });
            if (type !== 'bars') continue;
            const others = news.systems.filter((each) => each.page !== page);
            news.systems = [...others, ...systems.map((each) => ({ ...each, page }))];
            news.accepted = true;
        }
        return news;
    }

    #next() {
        clearTimeout(this.#timer);
        const entry = this.#entries[0];
        if (!entry || this.#sent !== null || !this.#link.isOpen) return;
        if (this.#link.send({ ...entry.message, id: entry.id })) this.#sent = entry.id;
    }

    /** What became of a change is known. */
    #settle(id) {
        const entry = this.#entries.find((each) => each.id === id);
        if (entry) this.#forget(entry);
        if (id !== null && id === this.#sent) {
            this.#sent = null;
            clearTimeout(this.#timer);
            this.#timer = setTimeout(() => this.#next(), PACE);
        }
        return entry;
    }

    #forget(entry) {
        this.#entries.splice(this.#entries.indexOf(entry), 1);
        try { localStorage.removeItem(KEY + entry.id); } catch { /* never kept */ }
    }
}

/** What a message is about, if it says all that there is to say about it. */
function subject({ type, score, page }) {
    if (type === 'bars') return `bars ${score} ${page}`;
    return type === 'order' ? `order ${score}` : null;
}

/** What an earlier page left. */
function stored() {
    try {
        const keys = Object.keys(localStorage).filter((key) => key.startsWith(KEY));
        return keys.map((key) => JSON.parse(localStorage.getItem(key))).sort((a, b) => a.place - b.place);
    } catch { return []; }
}
