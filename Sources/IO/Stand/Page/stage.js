// What the window shows of the score at a moment: which view, how large, moved by whom.

import { ComingPages } from './coming.js';
import { find } from './dom.js';
import { barOnPage, inView } from './inview.js';
import { PagesView } from './pages.js';
import { ScrollView } from './scroll.js';

const LARGEST = 5; // times the size at which a page fits

export class Stage {
    isFollowing = true;
    zoom = 1;
    panX = 0; // px by which the pages are moved to the left, by hand
    panY = 0;
    onChange = () => {};
    /** @type {(pages: number[]) => void} */
    onPages = () => {};
    #root;
    #sheets;
    #scroll;
    #pages;
    #view = 'pages';
    #y = 0;
    #window = { width: 0, height: 0, top: 0, bottom: 0 };
    #divider;
    #head;
    #coming = new ComingPages();
    #isFlat = false;
    #framed = '';

    constructor(root, content, sheets, divider, head) {
        this.#root = root;
        this.content = content;
        this.#sheets = sheets;
        this.#divider = divider;
        this.#head = head;
        this.#scroll = new ScrollView(sheets);
        this.#pages = new PagesView(sheets);
        const observer = new ResizeObserver(() => this.layout());
        observer.observe(root);
        for (const bar of document.querySelectorAll('#controls')) observer.observe(bar);
    }

    /** `pages` or `scroll`: what the window shows. Where pages that turn would be too narrow to read, they scroll. */
    get view() {
        return this.#isFlat ? 'scroll' : this.#view;
    }

    set view(view) {
        this.#view = view;
        this.zoom = 1;
        this.panX = this.panY = 0;
        this.layout();
    }

    show(score) {
        this.#sheets.show(score);
        this.#coming.clear();
        [this.zoom, this.panX, this.panY, this.#y] = [1, 0, 0, 0];
        this.layout();
    }

    /** Shows no score. */
    clear() {
        this.#sheets.clear();
        this.#divider.hidden = true;
        this.#framed = '';
        this.#coming.clear();
    }

    layout() {
        if (!this.#sheets.score) return;
        const box = this.#root.getBoundingClientRect();
        // The page makes room for what stays below it: the tools for writing and for bars, and the controls while the
        // metronome stands. While it runs the controls come and go above the page.
        const lasting = document.querySelectorAll('.bar, body:not(.running) #controls');
        const bottom = Math.max(0, ...Array.from(lasting, (bar) => bar.getBoundingClientRect().height));
        this.#window = { width: box.width, height: box.height, top: this.#head.offsetHeight, bottom };
        this.#flatten();
        this.#current.layout(this.#window, this.zoom);
        this.#coming.loadAgain();
        this.#apply();
        this.onChange();
    }

    /** Bars were found or corrected. */
    refresh(score) {
        this.#sheets.score = score;
        this.#framed = '';
        this.#coming.clear();
        this.#pages.refresh();
        this.layout();
    }

    /** Draws for `position`, of the course, or for none. Cheap where nothing changes. */
    draw(position) {
        const score = this.#sheets.score;
        if (!score) return;
        const bar = position ? score.played(position.bar) : null;
        if (position ? this.#coming.follow(score, position) : this.#coming.rest(score)) this.#load();
        const part = position && !position.isCountIn ? (position.beat - 1 + position.phase) / position.of : 0;
        if (position && this.isFollowing) {
            const isScroll = this.view === 'scroll';
            if (isScroll) {
                const isLast = position.beat >= position.of;
                this.#y = this.#scroll.target(score, position.bar, isLast && !position.isCountIn ? position.phase : 0);
            }
            const hasTurned = isScroll || this.#pages.follow(position.bar);
            const hasMoved = bar && this.zoom > 1 && this.#showBar(bar, part);
            if (hasTurned || hasMoved) this.#apply();
        }
        // The line under the bar steps by 1/200 of it: finer is not seen, and each step is a frame to draw.
        const framed = bar ? `${bar.number} ${bar.page} ${Math.round(part * 200)}` : '';
        if (framed !== this.#framed) {
            this.#framed = framed;
            this.#sheets.frame(bar, part);
        }
    }

    get y() {
        return this.#y;
    }

    get pages() {
        return this.view === 'scroll' ? this.#scroll.pagesAt(this.#y) : this.#pages.pages;
    }

    /** Turns by hand. The music no longer moves the pages until `follow`. */
    turn(direction) {
        this.isFollowing = false;
        if (this.view === 'scroll') this.#y = this.#scroll.turn(this.#y, direction); else this.#pages.turn(direction);
        this.#apply();
        this.onChange();
    }

    /** By hand; a pinch moves what it enlarges. Enlarged pages that were moved stay there until `follow`. */
    move(x, y, isPinch = false) {
        const wasFollowing = this.isFollowing;
        this.panX -= x;
        if (this.view === 'scroll') {
            this.isFollowing &&= Math.abs(y) < 1 && (isPinch || this.zoom === 1 || Math.abs(x) < 1);
            this.#y = this.#scroll.limit(this.#y - y);
        } else {
            this.isFollowing &&= isPinch || this.zoom === 1 || Math.hypot(x, y) < 1;
            this.panY -= y;
        }
        this.#apply();
        if (this.isFollowing !== wasFollowing) this.onChange();
    }

    /** Makes everything `factor` times as large; the point of the window stays where it is. */
    magnify(factor, x, y) {
        const zoom = Math.max(1, Math.min(LARGEST, this.zoom * factor)), by = zoom / this.zoom;
        if (by === 1) return;
        this.zoom = zoom;
        const center = this.view === 'scroll' ? this.#root.clientWidth / 2 : 0;
        this.panX = (this.panX + x - center) * by - (x - center);
        if (this.view === 'scroll') this.#y = (this.#y + y) * by - y; else this.panY = (this.panY + y) * by - y;
        this.layout();
    }

    follow() {
        this.isFollowing = true;
        this.#apply();
        this.onChange();
    }

    /** Moves enlarged pages where the bar that sounds is not on the screen, and only there. Whether they have moved. */
    #showBar(bar, part) {
        const before = [this.panX, this.panY], place = barOnPage(bar, part, this.#sheets.sheet(bar.page));
        this.panX = inView(this.panX, place.across, { start: 0, end: this.#window.width });
        const { top, height, bottom } = this.#window;
        // The reading line has a line of music anyway, until the next comes: that may be a window further down.
        if (this.view === 'scroll') this.#y = Math.min(this.#y, place.down.now - top);
        else this.panY = inView(this.panY, place.down, { start: top, end: height - bottom });
        return this.panX !== before[0] || this.panY !== before[1];
    }

    get #current() {
        return this.view === 'scroll' ? this.#scroll : this.#pages;
    }

    #apply() {
        const { clientWidth: width, clientHeight: height } = this.#root;
        const extent = this.#current.extent;
        const wide = Math.max(0, extent.width - width);
        if (this.view === 'scroll') {
            this.panX = Math.max(-wide / 2, Math.min(wide / 2, this.panX));
            this.#y = this.#scroll.limit(this.#y);
            this.content.style.transform = `translate3d(${-this.panX}px, ${-this.#y}px, 0)`;
            this.#divider.hidden = true;
        } else {
            this.panX = Math.max(0, Math.min(wide, this.panX));
            this.panY = Math.max(0, Math.min(Math.max(0, extent.height - height), this.panY));
            this.content.style.transform = `translate3d(${-this.panX}px, ${-this.panY}px, 0)`;
            const divider = this.#pages.divider;
            this.#divider.hidden = divider === null || divider === undefined;
            if (!this.#divider.hidden) this.#divider.style.transform = `translateY(${divider - this.panY}px)`;
        }
        this.#load();
    }

    /** Loads what is seen and what is played next. */
    #load() {
        if (this.#sheets.score && this.#coming.load(this.#sheets, this.pages)) this.onPages(this.pages);
    }

    /** Pages that would be too narrow to turn scroll, and back. The place in the score stays. */
    #flatten() {
        const isFlat = this.#view === 'pages' && !this.#pages.areReadable(this.#window);
        if (isFlat === this.#isFlat) return;
        const page = this.pages[0] ?? 1;
        [find('view-flat').hidden, this.#isFlat, this.zoom, this.panX, this.panY] = [!isFlat, isFlat, 1, 0, 0];
        this.#current.layout(this.#window, 1);
        if (isFlat) this.#y = this.#scroll.limit((this.#sheets.sheet(page)?.y ?? 0) - this.#window.top);
        else if (this.#view === 'pages') this.#pages.goTo(page - 1);
    }
}
