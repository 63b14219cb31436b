// Which pages are loaded: those that are seen, and those that the order of playing needs next: wherever it
// jumps, they are there, without network too.

const SPAN = 45_000; // ms of music: 30 s without network, and some quicker bars among them
const MOST = 500; // bars that are looked through
const FIRST = 64; // bars that are looked through before the music starts: 30 s at 240 a minute in two

export class ComingPages {
    pages = [];
    #from = '';
    #loaded = '';
    #seen = '';

    clear() {
        this.pages = [];
        this.#from = '';
        this.loadAgain();
    }

    /** Pages of another size are other pictures. */
    loadAgain() {
        this.#loaded = this.#seen = '';
    }

    /** Loads the pages that are seen and those that come, where they have changed. True where others are seen. */
    load(sheets, pages) {
        const seen = pages.join(), all = `${seen};${this.pages.join()}`, isOther = seen !== this.#seen;
        if (all !== this.#loaded) sheets.load(pages, this.pages);
        [this.#loaded, this.#seen] = [all, seen];
        return isOther;
    }

    /** Looks ahead from the beginning, where nothing sounds. True where that may need other pages than before. */
    rest(score) {
        if (this.#from === 'rest') return false;
        this.#from = 'rest';
        this.pages = score.pagesFrom(1, FIRST);
        return true;
    }

    /** Looks ahead from the bar that sounds. True where that may need other pages than before. */
    follow(score, { bar, of, bpm }) {
        const count = Math.min(MOST, Math.ceil(SPAN / (of * 60_000 / bpm)) + 1), from = `${bar} ${count}`;
        if (!Number.isFinite(count) || from === this.#from) return false;
        this.#from = from;
        this.pages = score.pagesFrom(bar, count);
        return true;
    }
}
