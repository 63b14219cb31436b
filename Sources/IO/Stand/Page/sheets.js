// The score's pages as they lie on the screen: a picture, the marks above it and the frame of the bar that sounds.

import { make } from './dom.js';
import { FULL } from './score.js';

const WIDTHS = [640, 1024, 1640, 2048, 2732]; // pixels; the server draws no others
const AGAIN = 1_000, RARELY = 5_000; // ms before a picture that has failed is asked for again: at first, and then
const TRIES = 3; // that fail before it is said
const AHEAD = 3; // printed pages loaded before and behind: a turn by hand finds them

export class Sheets {
    sheets = []; // {page (from 1), element, image, ink, lost, failures, width, height, x, y}
    score = null;
    /** A picture cannot be had. */
    onFailure = () => {};
    #root;
    #frame = make('div', { className: 'frame', ariaHidden: 'true' }, make('i'));
    #framed = null;
    #isDark = false;

    constructor(root) {
        this.#root = root;
    }

    show(score) {
        this.score = score;
        this.#framed = null;
        this.#frame.remove();
        this.sheets = score.pages.map((size, index) => {
            const alt = `Page ${index + 1} of ${score.title}`;
            const image = make('img', { alt, decoding: 'async', draggable: false });
            const ink = make('canvas', { className: 'ink' });
            const lost = make('p', { className: 'lost', role: 'status', hidden: true });
            const element = make('section', { className: 'sheet', ariaLabel: `Page ${index + 1}` }, image, ink, lost);
            element.dataset.page = index + 1;
            const place = { width: 0, height: 0, x: 0, y: 0 }, aspect = size.height / size.width;
            const sheet = { page: index + 1, element, image, ink, lost, aspect, ...place, source: null, failures: 0 };
            image.onerror = () => this.#retry(sheet);
            image.onload = () => {
                sheet.failures = 0;
                lost.hidden = true;
            };
            return sheet;
        });
        this.#root.replaceChildren(...this.sheets.map((sheet) => sheet.element));
    }

    clear() {
        this.score = this.#framed = null;
        this.sheets = [];
        this.#root.replaceChildren();
    }

    sheet(page) {
        return this.sheets[page - 1] ?? null;
    }

    set isDark(isDark) {
        this.#isDark = isDark;
        for (const sheet of this.sheets) if (sheet.image.src) this.#load(sheet);
    }

    /** Puts a page in its place; `width` in CSS pixels. */
    place(sheet, x, y, width) {
        Object.assign(sheet, { x, y, width, height: width * sheet.aspect });
        const style = sheet.element.style;
        style.width = `${width}px`;
        style.height = `${sheet.height}px`;
        style.transform = `translate(${x}px, ${y}px)`;
    }

    /** Loads the pages that are seen, those that are played next, and their neighbours, in this order. */
    load(pages, coming = []) {
        const wanted = new Set([...pages, ...coming]);
        for (let step = 1; step <= AHEAD; step += 1) {
            for (const page of pages) wanted.add(page + step).add(page - step);
        }
        for (const page of wanted) {
            const sheet = this.sheet(page);
            if (sheet) this.#load(sheet);
        }
    }

    /** Frames the bar that sounds, with `part` (0 to 1) of its lower edge drawn thick. */
    frame(bar, part) {
        const sheet = bar ? this.sheet(bar.page) : null;
        if (!sheet) {
            this.#frame.remove();
            this.#framed = null;
            return;
        }
        if (this.#framed !== bar || this.#frame.parentNode !== sheet.element) {
            this.#framed = bar;
            const height = bar.system.y1 - bar.system.y0, style = this.#frame.style;
            style.left = `${bar.x0 / FULL * 100}%`;
            style.width = `${(bar.x1 - bar.x0) / FULL * 100}%`;
            style.top = `${(bar.system.y0 - height * 0.12) / FULL * 100}%`;
            style.height = `${height * 1.24 / FULL * 100}%`;
            sheet.element.append(this.#frame);
        }
        this.#frame.firstChild.style.transform = `scaleX(${part})`;
    }

    /** The place on a page under a point of the window, in units of positions, or null. */
    pointAt(clientX, clientY) {
        const element = document.elementsFromPoint(clientX, clientY).find((each) => each.classList.contains('sheet'));
        const sheet = element && this.sheet(Number(element.getAttribute('data-page')));
        return sheet ? { sheet, ...this.pointOn(sheet, clientX, clientY) } : null;
    }

    pointOn(sheet, clientX, clientY) {
        const box = sheet.element.getBoundingClientRect();
        const unit = (value) => Math.max(0, Math.min(FULL, Math.round(value * FULL)));
        return { x: unit((clientX - box.left) / box.width), y: unit((clientY - box.top) / box.height) };
    }

    #load(sheet) {
        const pixels = sheet.width * Math.min(devicePixelRatio, 3);
        const width = WIDTHS.find((each) => each >= pixels * 0.95) ?? WIDTHS.at(-1);
        const source = `/page/${this.score.id}/${sheet.page}/${width}${this.#isDark ? 'd' : ''}.png`;
        if (sheet.source === source) return;
        sheet.source = source;
        if (!sheet.image.src) {
            sheet.image.src = source;
            return;
        }
        // The old picture stays until the new one is decoded: no white flash at a zoom or when it gets dark.
        const next = new Image();
        next.src = source;
        const show = () => { if (sheet.source === source) sheet.image.src = source; };
        const fail = () => {
            if (sheet.source !== source) return;
            sheet.source = null;
            this.onFailure();
        };
        next.decode().then(show, fail);
    }

    #retry(sheet) {
        const { image, lost, page } = sheet;
        sheet.failures += 1;
        this.onFailure();
        if (sheet.failures === TRIES) {
            lost.textContent = `Page ${page} cannot be had from the music stand. It is asked for again.`;
            lost.hidden = false;
        }
        setTimeout(() => {
            // Another size may have been asked for since.
            const source = sheet.source ?? image.src;
            image.removeAttribute('src');
            image.src = source;
        }, sheet.failures < TRIES ? AGAIN : RARELY);
    }
}
