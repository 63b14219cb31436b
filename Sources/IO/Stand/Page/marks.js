// All marks on all scores: made or struck out, never changed, so that devices merge them in any order.

import { newID } from './dom.js';
import { Outbox } from './outbox.js';
import { LONGEST_BODY, encode, encodeText } from './stroke.js';

const BATCH = 12_000; // characters of a message

export class Marks {
    since = 0;
    onChange = () => {};
    #strokes = new Map();
    #outbox = new Outbox();
    #link;
    #done = []; // what undo takes back, of this device: {score, make: [ids]} or {score, strike: [ids]}
    #undone = [];

    constructor(link) {
        this.#link = link;
        link.since = () => this.since;
        link.on('marks', (message) => this.#receive(message));
        link.on('open', () => this.#resend());
    }

    async open() {
        for (const { id, make, wish } of await this.#outbox.open()) {
            if (make && !this.#strokes.has(id)) this.#strokes.set(id, { ...make, dead: wish === 'strike' });
        }
        this.onChange();
        this.#resend();
    }

    /** The living marks of a page, oldest first. */
    on(score, page) {
        return [...this.#strokes.values()].filter((each) => !each.dead && each.score === score && each.page === page);
    }

    /** A line drawn by hand; a long one is made of several strokes. */
    draw(look, points) {
        const strokes = [];
        for (let from = 0; from < points.length - 1 || from === 0;) {
            let to = points.length, body = encode(points.slice(from, to));
            while (body.length > LONGEST_BODY) {
                to = from + Math.floor((to - from) / 2);
                body = encode(points.slice(from, to));
            }
            strokes.push({ ...look, id: newID(), body });
            from = to < points.length ? to - 1 : to; // the next begins where this one ends
        }
        this.#make(strokes);
    }

    write(look, x, y, text) {
        this.#make([{ ...look, id: newID(), body: encodeText(x, y, text) }]);
    }

    /** Of one score. */
    strike(ids) {
        if (!ids.length) return;
        this.#done.push({ score: this.#strokes.get(ids[0])?.score, strike: ids });
        this.#undone = [];
        this.#wish(ids, 'strike');
    }

    canUndo(score) {
        return this.#done.some((each) => each.score === score);
    }

    canRedo(score) {
        return this.#undone.some((each) => each.score === score);
    }

    /** The last change of this score: what a player does not see stays as it is. */
    undo(score) {
        const last = takeLast(this.#done, score);
        if (!last) return;
        this.#undone.push(last);
        this.#wish(last.make ?? last.strike, last.make ? 'strike' : 'revive');
    }

    redo(score) {
        const last = takeLast(this.#undone, score);
        if (!last) return;
        this.#done.push(last);
        this.#wish(last.make ?? last.strike, last.make ? 'revive' : 'strike');
    }

    /** How many wait for the server. */
    get waiting() {
        return this.#outbox.entries.length;
    }

    #make(strokes) {
        for (const stroke of strokes) {
            this.#strokes.set(stroke.id, stroke);
            this.#outbox.make(stroke);
        }
        this.#done.push({ score: strokes[0].score, make: strokes.map((stroke) => stroke.id) });
        this.#undone = [];
        for (const stroke of strokes) this.#send([stroke], [], []);
        this.onChange();
    }

    #wish(ids, wish) {
        const told = ids.filter((id) => {
            const stroke = this.#strokes.get(id);
            if (stroke) this.#strokes.set(id, { ...stroke, dead: wish === 'strike' });
            return this.#outbox.wish(id, wish, stroke?.served);
        });
        if (!this.#link.isOpen) this.#outbox.annul();
        else if (told.length) this.#send([], wish === 'strike' ? told : [], wish === 'revive' ? told : []);
        this.onChange();
    }

    /** Before the server's welcome nothing is sent: it is all sent then. */
    #send(make, strike, revive) {
        if (this.#link.isOpen) this.#link.send({ type: 'marks', make, strike, revive });
    }

    /** The same ids again: the server ignores those that it has. */
    #resend() {
        if (!this.#link.isOpen) return;
        this.#outbox.annul();
        this.#outbox.resent();
        let make = [], size = 0;
        const entries = this.#outbox.entries;
        for (const entry of entries) {
            if (!entry.make) continue;
            const length = JSON.stringify(entry.make).length;
            if (size + length > BATCH && make.length) {
                this.#send(make, [], []);
                [make, size] = [[], 0];
            }
            make.push(entry.make);
            size += length;
        }
        if (make.length) this.#send(make, [], []);
        for (let from = 0; from < entries.length; from += 200) {
            const part = entries.slice(from, from + 200);
            const wishes = (wish) => part.filter((each) => each.wish === wish).map((each) => each.id);
            const [strike, revive] = [wishes('strike'), wishes('revive')];
            if (strike.length + revive.length) this.#send([], strike, revive);
        }
    }

    #receive({ seq, made = [], struck = [] }) {
        const take = (stroke, isDead) => {
            this.#outbox.confirm(stroke.id, isDead);
            // What this device wishes and the server has not heard yet stays as it is drawn.
            const wish = this.#outbox.wishOf(stroke.id), dead = wish ? wish === 'strike' : isDead;
            this.#strokes.set(stroke.id, { ...stroke, dead, served: isDead ? 'strike' : 'revive' });
        };
        for (const stroke of made) take(stroke, Boolean(stroke.dead));
        for (const id of struck) {
            const stroke = this.#strokes.get(id);
            if (stroke) take(stroke, true); else this.#outbox.confirm(id, true);
        }
        if (seq > this.since) this.since = seq;
        this.onChange();
    }
}

/** Removes the last change of a score, and returns it. */
function takeLast(changes, score) {
    for (let index = changes.length - 1; index >= 0; index--) {
        if (changes[index].score === score) return changes.splice(index, 1)[0];
    }
    return null;
}
