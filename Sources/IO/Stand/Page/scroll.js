// Pages one below the other, moved so that the system that sounds lies on the reading line.

import { FULL } from './score.js';
import { prefersStillness } from './dom.js';

const READING_LINE = 1 / 3; // of the height: two thirds show what comes
const GAP = 12; // px between pages
const CONTROLS = 96; // px that the controls cover at most on a tablet: the last system can be moved above them
const WIDEST = 1_000; // px; a page as wide as a landscape screen would show two systems at a time

export class ScrollView {
    #sheets;
    #height = 0;
    #top = 0;
    #bottom = 0;
    extent = { width: 0, height: 0, left: 0 };

    constructor(sheets) {
        this.#sheets = sheets;
    }

    /** Lays all pages out for a window, `zoom` times as large as they fit. */
    layout(window, zoom) {
        const width = Math.min(window.width, WIDEST) * zoom;
        let y = window.top;
        for (const sheet of this.#sheets.sheets) {
            this.#sheets.place(sheet, (window.width - width) / 2, y, width);
            sheet.element.style.clipPath = '';
            sheet.element.hidden = false;
            y += sheet.height + GAP;
        }
        this.#height = window.height;
        this.#top = window.top;
        this.#bottom = Math.max(0, y - GAP - window.height + Math.max(window.bottom, CONTROLS));
        this.extent = { width, height: y, left: (window.width - width) / 2 };
    }

    /** How far up the pages move so that the played bar `step` is read, with `phase` of its last beat over. */
    target(score, step, phase) {
        const bar = score.played(step), next = score.played(step + 1);
        if (!bar) return 0;
        const here = this.#line(bar.system);
        return next && next.system !== bar.system ? here + (this.#line(next.system) - here) * ease(phase) : here;
    }

    limit(y) {
        return Math.max(0, Math.min(this.#bottom, y));
    }

    /** Pages that show when they have moved up by `y`. */
    pagesAt(y) {
        const shown = this.#sheets.sheets.filter((sheet) => sheet.y + sheet.height > y && sheet.y < y + this.#height);
        return shown.map((sheet) => sheet.page);
    }

    /** A screen further, less one system's overlap. */
    turn(y, direction) {
        return this.limit(y + direction * (this.#height - this.#top) * 0.8);
    }

    #line(system) {
        const sheet = this.#sheets.sheet(system.page);
        const middle = sheet.y + (system.y0 + system.y1) / 2 / FULL * sheet.height;
        return this.limit(middle - this.#height * READING_LINE);
    }
}

/** Starts and ends at rest: the eye follows, and a late frame shows no jerk. */
function ease(phase) {
    if (prefersStillness.matches) return phase < 0.5 ? 0 : 1;
    return phase * phase * (3 - 2 * phase);
}
