// A look at the bars that were found, and their correction by taps.

import { find } from './dom.js';
import { drawing } from './drawing.js';
import { checkOrder, words } from './order.js';
import { FULL } from './score.js';
import { toggled } from './toggled.js';

const SIDE = FULL * 0.06; // margins of a system that was tapped and not found
const TALL = FULL * 0.035; // half its height

export class Bars {
    isOn = false;
    onShow = () => {};
    #sheets;
    #stage;
    #changes;
    #position;
    #taps = null; // while systems are tapped to the click: {page, y, bar}
    #lastBar = 0; // that sounded while they were
    /** @type {any} */
    #served = null; // the score as the server has it, while it is being corrected
    #changed = new Set(); // pages
    #filled = { order: '', first: '' }; // what the fields showed before somebody typed

    /** `changes` sends what was corrected; `position()` is where the music is, or null. */
    constructor(sheets, stage, changes, position) {
        this.#sheets = sheets;
        this.#stage = stage;
        this.#changes = changes;
        this.#position = position;
        find('bars-accept').onclick = () => this.#accept();
        find('bars-cancel').onclick = () => this.#leave();
        find('bars-tap').onclick = () => this.#startTaps();
        find('bars-order').onchange = () => this.#order();
        find('bars-first').onchange = () => this.#order();
    }

    show(isOn) {
        this.isOn = isOn;
        this.#taps = null;
        find('bars-bar').hidden = !isOn;
        document.body.classList.toggle('barring', isOn);
        if (isOn) {
            const score = this.#served = this.#sheets.score;
            this.#fill(score);
            find('bars-order').readOnly = Boolean(score.plan);
            find('bars-order-from').textContent = `Order of playing${score.plan ? ', from the map' : ''}`;
            this.#changed.clear();
        }
        this.#explain();
        this.onShow();
        this.draw();
    }

    /** More was found, or corrected elsewhere. What this device is correcting stays. */
    renew(score) {
        if (!this.isOn || !(this.#changed.size || this.#taps || this.#hasTyped())) {
            this.#stage.refresh(score);
            if (this.isOn) this.show(true);
            return;
        }
        this.#served = score;
        if (!this.#hasTyped()) this.#fill(score);
        const mine = this.#sheets.score.systems.filter((system) => this.#changed.has(system.page));
        const others = score.systems.filter((system) => !this.#changed.has(system.page));
        this.#stage.refresh(score.changed({ systems: [...others, ...mine] }));
        this.draw();
    }

    #fill(score) {
        // A map that repeats and jumps says the order itself.
        this.#filled.order = find('bars-order').value = score.plan ? words(score.plan, score.first) : score.order;
        this.#filled.first = find('bars-first').value = String(score.first);
    }

    #hasTyped() {
        return find('bars-order').value !== this.#filled.order || find('bars-first').value !== this.#filled.first;
    }

    /** Where the music is, in each frame: the bars are counted by it, also when it has stopped since. */
    follow(position) {
        if (this.#taps && position) this.#lastBar = position.bar;
    }

    /** A tap on the pages: a bar line goes or comes. */
    tap(clientX, clientY) {
        const place = this.#sheets.pointAt(clientX, clientY);
        if (!place) return;
        const page = place.sheet.page, score = this.#sheets.score;
        if (this.#taps) return this.#tapSystem(page, place.y);
        const system = score.systemAt(page, place.y);
        if (!system) {
            this.#say('Nothing was found here. Tap “Tap systems” to enter a system that is missing.');
            return;
        }
        this.#replace(page, (each) => (
            each === system ? { ...each, bars: toggled(each.bars, place.x), isDoubtful: false } : each));
    }

    /** Draws the systems and bar lines above the pages, or takes them away. */
    draw() {
        for (const sheet of this.#sheets.sheets) {
            sheet.element.querySelector('svg')?.remove();
            if (this.isOn) sheet.element.append(drawing(sheet, this.#sheets.score));
        }
    }

    /** One tap on each system as its first beat sounds: bars even inside it. */
    #startTaps() {
        if (this.#taps) return this.#endTaps();
        if (!this.#position()) {
            this.#say('Start the metronome first: the bars are counted by it.');
            return;
        }
        [this.#taps, this.#lastBar] = [[], 0];
        this.#explain();
    }

    #tapSystem(page, y) {
        const position = this.#position();
        if (!position || position.bar < 1) return;
        // The nearest first beat: a tap comes a little early or late.
        const bar = position.bar + ((position.beat - 1 + position.phase) / position.of > 0.5 ? 1 : 0);
        this.#taps.push({ page, y, bar });
        const count = this.#taps.length;
        this.#say(`System ${count}, from bar ${bar}. Tap the next as it begins, “Done” at the end of the last.`);
    }

    #endTaps() {
        this.follow(this.#position());
        const taps = this.#taps;
        this.#taps = null;
        const score = this.#sheets.score, end = this.#lastBar + 1;
        const systems = taps.map(({ page, y, bar }, index) => {
            const count = Math.max(1, Math.min(64, (taps[index + 1]?.bar ?? end) - bar));
            const found = score.systemAt(page, y);
            const [y0, y1] = [Math.max(0, y - TALL), Math.min(FULL, y + TALL)];
            const box = found ?? { page, x0: SIDE, x1: FULL - SIDE, y0, y1, staves: 1 };
            const width = (box.x1 - box.x0) / count;
            const edge = (line) => Math.round(box.x0 + line * width);
            const bars = Array.from({ length: count }, (_, each) => [edge(each), edge(each + 1), 'hand']);
            return { ...box, bars, found, isDoubtful: false };
        });
        for (const page of new Set(systems.map((system) => system.page))) {
            const mine = systems.filter((system) => system.page === page);
            this.#replace(page, (each) => (mine.some((system) => system.found === each) ? null : each), mine);
        }
        this.#explain();
    }

    #replace(page, change, more = []) {
        const old = this.#sheets.score;
        const systems = old.systems.map((each) => (each.page === page ? change(each) : each)).filter(Boolean);
        this.#changed.add(page);
        this.#stage.refresh(old.changed({ systems: [...systems, ...more] }));
        this.draw();
        this.#explain();
    }

    #order() {
        const { plan, order } = this.#sheets.score, first = Number(find('bars-first').value);
        const text = plan ? order : find('bars-order').value;
        try {
            const isNumber = Number.isInteger(first) && first >= 0 && first <= 9_999;
            if (!isNumber) throw new Error('The first bar’s number is 0 to 9999.');
            if (!plan && this.#hasTyped()) checkOrder(text, first, this.#sheets.score.bars.length);
        } catch (error) {
            this.#say(error.message);
            return false;
        }
        this.#stage.refresh(this.#sheets.score.changed({ order: text, first }));
        this.draw();
        this.#explain();
        return true;
    }

    /** What was not accepted is forgotten. */
    #leave() {
        const served = this.#served, { plan, id } = this.#sheets.score;
        if (served?.id === id) this.#stage.refresh(Object.assign(served, { plan }));
        this.show(false);
    }

    #accept() {
        const hasTyped = this.#hasTyped();
        if (!this.#order()) return;
        const score = this.#sheets.score, { id } = score;
        // What the server has is not said again: somebody else may have corrected it. Only what it doubts is accepted
        // as it is, so that nobody looks at it again, and where there is nothing to say, one page says all is right.
        const doubted = score.systems.filter((system) => system.isDoubtful).map((system) => system.page);
        const pages = new Set([...this.#changed, ...doubted]);
        if (!pages.size && !score.accepted && score.systems.length) pages.add(score.systems[0].page);
        for (const page of [...pages].sort((a, b) => a - b)) {
            const systems = score.systems.filter((system) => system.page === page).map(plain);
            this.#changes.send({ type: 'bars', score: id, page, systems, accepted: true });
        }
        if (hasTyped) this.#changes.send({ type: 'order', score: id, text: score.order, first: score.first });
        score.accepted = true;
        this.show(false);
    }

    #explain() {
        find('bars-tap').textContent = this.#taps ? 'Done' : 'Tap systems';
        const doubts = this.#sheets.score?.doubts ?? 0, count = this.#sheets.score?.bars.length ?? 0;
        const look = doubts ? `; ${doubts} ${doubts === 1 ? 'system wants' : 'systems want'} a look` : '';
        this.#say(this.#taps
            ? 'Tap each system as its first beat sounds.'
            : `${count} bars${look}. Tap a wrong line away, tap where one is missing.`);
    }

    #say(text) {
        find('bars-note').textContent = text;
    }
}

function plain({ x0, y0, x1, y1, staves, bars }) {
    return { x0, y0, x1, y1, staves, bars };
}
