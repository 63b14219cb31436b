// Which score this device shows, and why.

import { Score } from './score.js';
import { settings } from './settings.js';

export class Shown {
    /** @type {Score | null} */
    score = null;
    /** What plays, and the score that belongs to it; null before the server has said so.
     *  @type {any} */
    playing = null;
    #asked = null; // for which the server was asked
    #link;
    #library;

    constructor(link, library) {
        this.#link = link;
        this.#library = library;
    }

    /** Asks for a score; it is shown when it comes. */
    open(id) {
        this.#asked = id;
        this.#link.send({ type: 'open', score: id });
    }

    /** Asks for the score of what plays, for the last one of this device, or for any. Null where there is none. */
    choose(own = this.playing?.score) {
        // What plays has no score, and another one would only mislead.
        if (this.playing?.missing && !this.score) return undefined;
        // A tablet that was away while the others went on to another piece goes there too.
        if (this.playing && own && own !== this.playing.score) {
            this.score = null;
            this.playing = { ...this.playing, score: own };
        }
        const wanted = this.#library.choice([this.score?.id, own, settings.get('score')]);
        if (wanted && wanted !== this.score?.id) this.open(wanted);
        return wanted;
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
        if (isOther && news.score !== this.score?.id) this.open(news.score); else this.plan(this.score);
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
