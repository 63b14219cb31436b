// Pages that turn ahead by themselves: the upper half when the lower one is reached, the lower half one bar after the
// upper is read. On a wide window the halves are whole pages side by side.

import { FULL } from './score.js';
import { turns } from './turns.js';

const NARROWEST = 340; // px; about the width of the narrowest telephone held upright
const SPARE = 24; // px above a page that is shorter than the window

export class PagesView {
    #sheets;
    #window = null;
    #zoom = 1;
    #isWide = false;
    #steps = [];
    #score = null;
    #splits = [];
    shown = [0, 1];
    divider = null;
    extent = { width: 0, height: 0, left: 0 };

    constructor(sheets) {
        this.#sheets = sheets;
    }

    layout(window, zoom) {
        this.#window = window;
        this.#zoom = zoom;
        const isWide = window.width > (window.height - window.top) * 1.1;
        const page = Math.floor(this.shown[0] / (this.#isWide ? 1 : 2));
        if (isWide !== this.#isWide || this.#score !== this.#sheets.score) {
            this.#isWide = isWide;
            this.#prepare(this.#sheets.score);
            this.goTo(this.#score === this.#sheets.score ? page : 0);
            this.#score = this.#sheets.score;
        }
        this.draw();
    }

    /** Whether a window is high enough for its width: a telephone that lies on its side is not. */
    areReadable({ width, height, top }) {
        // Without the controls: they come and go, and the pages must not change with them.
        const narrowest = Math.min(...this.#sheets.sheets.map((sheet) => (height - top) / sheet.aspect));
        return narrowest >= Math.min(NARROWEST, width);
    }

    /** The halves for the played bar `step`. True if they are others than before. */
    follow(step) {
        const shown = this.#steps[Math.max(1, Math.min(step, this.#steps.length)) - 1];
        if (!shown || (shown[0] === this.shown[0] && shown[1] === this.shown[1])) return false;
        this.shown = shown;
        this.draw();
        return true;
    }

    /** By hand: half a page on a tall window, two pages on a wide one. */
    turn(direction) {
        const last = this.#sheets.sheets.length - 1;
        const [first, second] = this.shown;
        if (this.#isWide) return this.goTo(Math.max(0, Math.min(last & ~1, (first & ~1) + 2 * direction)));
        if (direction > 0) {
            if ((first >> 1) > (second >> 1)) this.shown = [first, first | 1];
            else if ((first >> 1) < last) this.shown = [first + 2, second];
        } else if ((first >> 1) > (second >> 1)) this.shown = [second & ~1, second];
        else if ((second >> 1) > 0) this.shown = [first, second - 2];
        this.draw();
    }

    /** A page from 0. */
    goTo(page) {
        this.shown = this.#isWide ? [page & ~1, page | 1] : [2 * page, 2 * page + 1];
        if (this.#window) this.draw();
    }

    get pages() {
        return [...new Set(this.shown.map((unit) => (this.#isWide ? unit : unit >> 1) + 1))];
    }

    /** Bars were found or corrected: other halves, the same place. */
    refresh() {
        const { score } = this.#sheets;
        if (this.#score?.id === score.id) this.#score = score;
        this.#prepare(score);
        // A page that scrolls has never laid out these.
        if (this.#window) this.draw();
    }

    draw() {
        const { sheets } = this.#sheets, { width, height, top, bottom } = this.#window, tall = height - top - bottom;
        for (const sheet of sheets) sheet.element.hidden = true;
        const [first, second] = this.shown;
        let extent = { width: 0, height: 0 };
        const put = (sheet, left, room, clip) => {
            if (!sheet) return;
            const size = Math.min(room, tall / sheet.aspect) * this.#zoom;
            // At the top: what a short page leaves free is where the controls come and go.
            const x = left + (room * this.#zoom - size) / 2;
            const y = top + Math.max(0, Math.min(SPARE, (tall - size * sheet.aspect) / 2));
            this.#sheets.place(sheet, x, y, size);
            sheet.element.hidden = false;
            sheet.element.style.clipPath = clip;
            extent = { width: width * this.#zoom, height: Math.max(extent.height, top + sheet.height + bottom) };
        };
        if (this.#isWide) {
            const gap = 8, room = (width - gap) / 2;
            const both = [sheets[first], sheets[second]].filter(Boolean);
            const size = Math.min(room, ...both.map((sheet) => tall / sheet.aspect));
            // Two pages that touch, in the middle: not each in the middle of its half. One page is there itself.
            const left = both.length > 1 ? (width / 2 - size) * this.#zoom - gap / 2 : (width - size) / 2 * this.#zoom;
            put(sheets[first], left, size, '');
            put(sheets[second], width / 2 * this.#zoom + gap / 2, size, '');
        } else {
            const upper = first >> 1, lower = second >> 1, split = this.#splits[lower] ?? 0.5;
            const isOne = upper === lower;
            put(sheets[lower], 0, width, isOne ? '' : `inset(${split * 100}% 0 0 0)`);
            // Of the upper page only whole systems: a sliver of one cannot be read.
            const cut = Math.min(split, this.#splits[upper] ?? 0.5);
            if (!isOne) put(sheets[upper], 0, width, `inset(0 0 ${(1 - cut) * 100}% 0)`);
            this.divider = isOne || !sheets[lower] ? null : sheets[lower].y + split * sheets[lower].height;
        }
        this.extent = { ...extent, left: 0 };
        if (this.#isWide) this.divider = null;
    }

    #prepare(score) {
        this.#splits = score.pages.map((_, index) => this.#split(score, index + 1));
        this.#steps = turns(score.steps.map((bar) => {
            if (this.#isWide) return bar.page - 1;
            const middle = (bar.system.y0 + bar.system.y1) / 2 / FULL;
            return 2 * (bar.page - 1) + (middle > this.#splits[bar.page - 1] ? 1 : 0);
        }));
    }

    /** Where a page is cut: between the two systems next to its middle. */
    #split(score, page) {
        const systems = score.systems.filter((system) => system.page === page);
        let best = 0.5, distance = Infinity;
        for (let index = 1; index < systems.length; index += 1) {
            const between = (systems[index - 1].y1 + systems[index].y0) / 2 / FULL;
            if (Math.abs(between - 0.5) < distance) [best, distance] = [between, Math.abs(between - 0.5)];
        }
        return distance < 0.25 ? best : 0.5;
    }
}
