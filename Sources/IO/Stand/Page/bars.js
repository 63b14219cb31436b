// A look at the bars that were found, and their correction by taps.

import { find } from './dom.js';
import { playingOrder } from './order.js';
import { FULL, Score } from './score.js';

const NEAR = FULL / 70; // a tap this near to a bar line means the line
const SIDE = FULL * 0.06; // margins of a system that was tapped and not found
const TALL = FULL * 0.035; // half its height
const NAMESPACE = 'http://www.w3.org/2000/svg';

export class Bars {
    isOn = false;
    onChange = () => {};
    #sheets;
    #stage;
    #link;
    #position;
    #taps = null; // while systems are tapped to the click: {page, y, bar}
    #changed = new Set();

    /** `position()` is where the music is, or null. */
    constructor(sheets, stage, link, position) {
        this.#sheets = sheets;
        this.#stage = stage;
        this.#link = link;
        this.#position = position;
        find('bars-accept').onclick = () => this.#accept();
        find('bars-cancel').onclick = () => this.show(false);
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
            const score = this.#sheets.score;
            find('bars-first').value = String(score.first);
            find('bars-order').value = score.order;
            this.#changed.clear();
        }
        this.#explain();
        this.draw();
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
        this.#replace(page, (each) => (each === system ? { ...each, bars: toggled(each.bars, place.x) } : each));
    }

    /** Draws the systems and bar lines above the pages, or takes them away. */
    draw() {
        for (const sheet of this.#sheets.sheets) {
            sheet.element.querySelector('svg')?.remove();
            if (this.isOn) sheet.element.append(this.#drawing(sheet));
        }
    }

    #drawing(sheet) {
        const score = this.#sheets.score;
        const drawing = shape('svg', { class: 'bars', viewBox: `0 0 ${FULL} ${Math.round(FULL * sheet.aspect)}`, 'aria-hidden': 'true' });
        const y = (value) => Math.round(value * sheet.aspect);
        for (const system of score.systems.filter((each) => each.page === sheet.page)) {
            const { x0, x1 } = system, top = y(system.y0), tall = y(system.y1) - top, isDoubtful = score.doubts.has(system.index);
            const kind = isDoubtful ? 'system doubtful' : 'system';
            drawing.append(shape('rect', { class: kind, x: x0, y: top, width: x1 - x0, height: tall, rx: 300 }));
            const bars = score.bars.filter((bar) => bar.system === system);
            for (const bar of bars) {
                drawing.append(shape('line', { x1: bar.x1, x2: bar.x1, y1: top - 500, y2: top + tall + 500 }));
                drawing.append(label(bar.x0 + 250, top - 350, String(bar.number)));
            }
            if (isDoubtful) drawing.append(label(x1 - 6_500, top + tall + 1_500, 'please look'));
        }
        return drawing;
    }

    /** One tap on each system as its first beat sounds: bars even inside it. */
    #startTaps() {
        if (this.#taps) return this.#endTaps();
        if (!this.#position()) {
            this.#say('Start the metronome first: the bars are counted by it.');
            return;
        }
        this.#taps = [];
        this.#explain();
    }

    #tapSystem(page, y) {
        const position = this.#position();
        if (!position || position.bar < 1) return;
        // The nearest first beat: a tap comes a little early or late.
        const bar = position.bar + ((position.beat - 1 + position.phase) / position.of > 0.5 ? 1 : 0);
        this.#taps.push({ page, y, bar });
        this.#say(`System ${this.#taps.length}, from bar ${bar}. Tap the next as it begins; “Done” at the end of the last.`);
    }

    #endTaps() {
        const position = this.#position(), taps = this.#taps;
        this.#taps = null;
        const score = this.#sheets.score;
        const end = (position?.bar ?? taps.at(-1)?.bar ?? 0) + 1;
        const systems = taps.map(({ page, y, bar }, index) => {
            const count = Math.max(1, Math.min(64, (taps[index + 1]?.bar ?? end) - bar));
            const found = score.systemAt(page, y);
            const box = found ?? { page, x0: SIDE, x1: FULL - SIDE, y0: Math.max(0, y - TALL), y1: Math.min(FULL, y + TALL), staves: 1 };
            const width = (box.x1 - box.x0) / count;
            const bars = Array.from({ length: count }, (_, each) => [Math.round(box.x0 + each * width), Math.round(box.x0 + (each + 1) * width), 'hand']);
            return { ...box, bars, found };
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
        const score = new Score({ ...old, doubts: [], systems: [...systems, ...more] });
        this.#changed.add(page);
        this.#stage.refresh(score);
        this.draw();
    }

    #order() {
        const text = find('bars-order').value, first = Number(find('bars-first').value);
        try {
            playingOrder(text);
            if (!Number.isInteger(first) || first < 0 || first > 9_999) throw new Error('The first bar’s number is 0 to 9999.');
        } catch (error) {
            this.#say(error.message);
            return false;
        }
        this.#stage.refresh(new Score({ ...this.#sheets.score, doubts: [...this.#sheets.score.doubts], order: text, first }));
        this.draw();
        return true;
    }

    #accept() {
        if (!this.#order()) return;
        const score = this.#sheets.score, { id } = score;
        // Pages that are right are accepted as they are, so that nobody looks at them again.
        for (const { page } of this.#sheets.sheets) {
            const systems = score.systems.filter((system) => system.page === page).map(plain);
            if (systems.length || this.#changed.has(page)) this.#link.send({ type: 'bars', score: id, page, systems, accepted: true });
        }
        this.#link.send({ type: 'order', score: id, text: score.order, first: score.first });
        score.accepted = true;
        this.show(false);
        this.onChange();
    }

    #explain() {
        find('bars-tap').textContent = this.#taps ? 'Done' : 'Tap systems';
        const doubts = this.#sheets.score?.doubts.size ?? 0, count = this.#sheets.score?.bars.length ?? 0;
        this.#say(this.#taps
            ? 'Tap each system as its first beat sounds.'
            : `${count} bars${doubts ? `; ${doubts} systems want a look` : ''}. Tap a wrong line away, tap where one is missing.`);
    }

    #say(text) {
        find('bars-note').textContent = text;
    }
}

/** The bars of a system with the line near `x` taken away, or with a new one there. */
export function toggled(bars, x) {
    const hit = bars.findIndex((bar) => Math.abs(bar[1] - x) < NEAR);
    if (hit >= 0 && bars.length > 1) {
        if (hit === bars.length - 1) return bars.slice(0, -1);
        return bars.flatMap((bar, index) => (index === hit ? [[bar[0], bars[hit + 1][1], 'hand']] : index === hit + 1 ? [] : [bar]));
    }
    const inside = bars.findIndex((bar) => x > bar[0] && x < bar[1]);
    const line = Math.round(x);
    if (inside >= 0) return bars.flatMap((bar, index) => (index === inside ? [[bar[0], line, 'hand'], [line, bar[1], 'hand']] : [bar]));
    const last = bars.at(-1);
    return last && x > last[1] ? [...bars, [last[1], line, 'hand']] : bars;
}

function plain({ x0, y0, x1, y1, staves, bars }) {
    return { x0, y0, x1, y1, staves, bars };
}

function shape(name, attributes) {
    const element = document.createElementNS(NAMESPACE, name);
    for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, value);
    return element;
}

function label(x, y, text) {
    const element = shape('text', { x, y });
    element.textContent = text;
    return element;
}
