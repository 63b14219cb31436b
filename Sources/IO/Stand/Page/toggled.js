// A correction of one system's bars by a tap.

import { FULL } from './score.js';

const NEAR = FULL / 70; // a tap this near to a bar line means the line

/** The bars of a system with the line near `x` taken away, or with a new one there. */
export function toggled(bars, x) {
    const hit = bars.findIndex((bar) => Math.abs(bar[1] - x) < NEAR);
    if (hit >= 0 && bars.length > 1) {
        if (hit === bars.length - 1) return bars.slice(0, -1);
        return [...bars.slice(0, hit), [bars[hit][0], bars[hit + 1][1], 'hand'], ...bars.slice(hit + 2)];
    }
    const inside = bars.findIndex((bar) => x > bar[0] && x < bar[1]);
    const line = Math.round(x);
    if (inside >= 0) {
        const halves = [[bars[inside][0], line, 'hand'], [line, bars[inside][1], 'hand']];
        return [...bars.slice(0, inside), ...halves, ...bars.slice(inside + 1)];
    }
    const last = bars.at(-1);
    return last && x > last[1] ? [...bars, [last[1], line, 'hand']] : bars;
}
