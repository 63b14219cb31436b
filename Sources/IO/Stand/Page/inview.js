// How far enlarged pages are moved so that what sounds is on the screen.

import { FULL } from './score.js';

const MARGIN = 0.1; // of the window, before what has just come into view: the rest shows what follows

/**
 * The way by which pages are moved, in px, in one direction: `pan` where what sounds is on the screen by that, or the
 * next that shows it. `from` to `to` should be seen, and where that is longer than the window, `now`. `first` and
 * `last` are the ends of what is read in one go: no more is moved into view. The window shows `start` to `end`.
 */
export function inView(pan, { from, to, now, first, last }, { start, end }) {
    const room = end - start, margin = room * MARGIN;
    const fits = to - from <= room;
    const low = fits ? from : now, high = fits ? to : now;
    if (low >= pan + start && high <= pan + end) return pan;
    const wanted = Math.min(low - margin, Math.max(last + margin - room, first - margin));
    // With the margin a bar may not fit that fits by itself.
    return Math.max(wanted, high - room) - start;
}

/** Where a bar of which `part` is over lies on its sheet, in px, across and down, as `inView` asks for it. */
export function barOnPage({ x0, x1, system }, part, { x, y, width, height }) {
    const across = (value) => x + value / FULL * width, down = (value) => y + value / FULL * height;
    const [left, right, from, to] = [across(x0), across(x1), down(system.y0), down(system.y1)];
    return {
        across: {
            from: left, to: right, now: left + part * (right - left), first: across(system.x0), last: across(system.x1),
        },
        down: { from, to, now: (from + to) / 2, first: from, last: to },
    };
}
