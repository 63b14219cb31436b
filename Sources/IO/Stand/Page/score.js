// A score: its pages, the systems and bars found on them, and what is played after what.

import { planned, playingOrder } from './order.js';

export const FULL = 65_536; // a page's width and height in the units of positions

export class Score {
    #plan = null;
    #again = null; // the step with which the order begins again after its last

    constructor(message) {
        this.id = message.id;
        this.title = message.title;
        this.pages = message.pages;
        this.order = message.order ?? '';
        this.first = message.first ?? 1;
        this.accepted = message.accepted ?? false;
        const doubts = new Set(message.doubts ?? []);
        this.systems = (message.systems ?? []).map((system, index) => (
            { ...system, isDoubtful: doubts.has(index) || Boolean(system.isDoubtful) }));
        this.systems.sort((a, b) => a.page - b.page || a.y0 - b.y0 || a.x0 - b.x0);
        this.#number();
    }

    /** The order of the plan that plays, {runs: [[first, count]], again}; null: the score's own. */
    set plan(plan) {
        this.#plan = plan;
        this.#number();
    }

    get plan() {
        return this.#plan;
    }

    /** The same score with other systems, another order or another first bar. */
    changed(change) {
        return Object.assign(new Score({ ...this, ...change }), { plan: this.plan });
    }

    /** The printed bar that is the `bar`th to be played (from 1); before that the first, after the end the last. */
    played(bar) {
        if (!this.bars.length) return null;
        const count = this.steps.length;
        let step = Math.max(1, bar) - 1;
        if (step >= count) {
            const from = this.#again ?? count - 1;
            step = from + (step - count) % (count - from);
        }
        return this.steps[step] ?? null;
    }

    /** The pages of the next `count` bars to be played, from the `bar`th on, each once and in the order of playing. */
    pagesFrom(bar, count) {
        const pages = new Set();
        for (let step = 0; step < count; step += 1) {
            const next = this.played(Math.max(1, bar) + step);
            if (next) pages.add(next.page);
        }
        return [...pages];
    }

    /** How many systems a musician should look at. */
    get doubts() {
        return this.systems.filter((system) => system.isDoubtful).length;
    }

    /** The first time that a printed bar is played, from 1; null if the order leaves it out. */
    timeOf(bar) {
        const step = this.steps.indexOf(bar);
        return step < 0 ? null : step + 1;
    }

    /** The page's printed bar at a place, in units of positions. */
    barAt(page, x, y) {
        const system = this.systemAt(page, y);
        return this.bars.find((bar) => bar.system === system && x >= bar.x0 && x < bar.x1) ?? null;
    }

    systemAt(page, y) {
        const margin = FULL / 100;
        const isAt = (each) => each.page === page && y >= each.y0 - margin && y <= each.y1 + margin;
        return this.systems.find(isAt) ?? null;
    }

    #number() {
        this.bars = [];
        for (const system of this.systems) {
            for (const [x0, x1, origin] of system.bars) {
                this.bars.push({ x0, x1, origin, system, page: system.page, number: this.first + this.bars.length });
            }
        }
        this.#again = null;
        if (this.#plan) {
            const { steps, again } = planned(this.#plan, this.bars);
            if (steps.length) {
                [this.steps, this.#again] = [steps, again];
                return;
            }
        }
        let numbers = [];
        try { numbers = playingOrder(this.order); } catch { /* the panel that edits it says so */ }
        // Where the order has more bars than were found, the last one stands for them, as in a plan.
        const played = numbers.filter((number) => number >= this.first);
        this.steps = this.bars.length ? played.map((number) => this.bars[number - this.first] ?? this.bars.at(-1)) : [];
        if (!this.steps.length) this.steps = this.bars;
    }
}
