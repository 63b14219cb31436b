// Which score this device shows, and why.

import { Score } from './score.js';
import { settings } from './settings.js';

const RARELY = 10_000; // ms between two looks at the folder because of a picture that failed

export class Shown {
    /** @type {Score | null} */
    score = null;
    /** What plays, and the score that belongs to it; null before the server has said so.
     *  @type {any} */
    playing = null;
    #asked = null; // for which the server was asked, or will be once there is a connection
    #isTold = false; // whether the server tells of changes: each connection has to ask anew
    #gone = ''; // what was said of a file that is gone
    #looked = -Infinity;
    #link;
    #library;

    constructor(link, library) {
        this.#link = link;
        this.#library = library;
        link.on('close', () => { this.#isTold = false; });
    }

    /** Asks for a score; it is shown when it comes. Without a connection it is asked for later, and this is false. */
    open(id) {
        this.#asked = id;
        this.#isTold = this.#link.isOpen && this.#link.send({ type: 'open', score: id });
        return this.#isTold;
    }

    /** Asks for the score that was chosen here or is shown, for that of what plays, for the last one of this device, or
     *  for any. Null where there is none. */
    choose(own = this.playing?.score) {
        // What plays has no score, and another one would only mislead.
        if (this.playing?.missing && !this.score && !this.#asked) return undefined;
        // A tablet that was away while the others went on to another piece goes there too.
        if (this.playing && own && own !== this.playing.score) {
            this.score = this.#asked = null;
            this.playing = { ...this.playing, score: own };
        }
        const kept = [this.#asked, this.score?.id].find((id) => id && this.#library.has(id));
        // What is shown stays while the folder is being read, and also where its file is gone.
        if (!kept && this.score) return this.score.id;
        const wanted = kept ?? this.#library.choice([own, settings.get('score')]);
        if (wanted) this.open(wanted);
        return wanted;
    }

    /** Whether a score is shown, and the server tells of its changes. */
    get isOpen() {
        return Boolean(this.score) && this.#isTold;
    }

    /** Where the file of the score that is shown is gone, says so once: {title, other}. `other` is a file of the same
     *  name, as when a score was engraved anew, and is asked for. */
    replace() {
        const { score } = this;
        if (!score || this.#library.isComing) return null;
        const isThere = this.#library.has(score.id), other = isThere ? null : this.#library.named(score.title);
        const gone = isThere ? '' : `${score.id} ${other}`;
        if (gone === this.#gone) return null;
        this.#gone = gone;
        if (isThere) return null;
        if (other) this.open(other);
        return { title: score.title, other };
    }

    /** A picture cannot be had: its file may be gone. */
    look() {
        if (performance.now() - this.#looked < RARELY) return;
        if (this.#link.isOpen && this.#link.send({ type: 'scores' })) this.#looked = performance.now();
    }

    /** Something else plays: {isMissing} where it has no score. Its score is asked for. */
    follow(news) {
        const before = this.playing;
        this.playing = news;
        if (news.missing && news.missing !== before?.missing) {
            this.score = this.#asked = null;
            return { isMissing: true };
        }
        const isOther = before !== null && news.score && news.score !== before.score;
        const isComing = this.#isTold && news.score === this.#asked;
        if (isOther && !isComing && news.score !== this.score?.id) this.open(news.score); else this.plan(this.score);
        return { isMissing: false };
    }

    /** The score of a message, if it is the one that was asked for. */
    take(message) {
        if (this.score?.id !== message.id && message.id !== this.#asked) return null;
        this.score = this.plan(new Score(message));
        settings.set('score', message.id);
        return this.score;
    }

    /** Gives a score the order of what plays, where that is the score's. */
    plan(score) {
        const order = this.playing?.order;
        if (score) score.plan = order && (!order.score || order.score === score.id) ? order : null;
        return score;
    }
}
