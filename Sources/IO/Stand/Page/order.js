// The order in which printed bars are played: "1-8 1-7 9-16", or that of the plan that plays.

const MOST = 20_000; // bars: ten hours of music
const LONGEST = 4_096; // bytes of an order, as the server has it

/** The printed numbers one after the other. Throws an Error that says what is wrong. */
export function playingOrder(text) {
    const bars = [];
    if (new Blob([text]).size > LONGEST) throw new Error('The order is too long. Write ranges, like 1-8.');
    for (const word of text.trim().split(/[\s,;]+/).filter(Boolean)) {
        const range = /^(\d{1,4})(?:[-–](\d{1,4}))?$/.exec(word);
        if (!range) throw new Error(`“${word}” is not a range of bars. Write them like 1-8 1-7 9-16.`);
        const from = Number(range[1]), to = Number(range[2] ?? range[1]);
        if (to < from) throw new Error(`“${word}” runs backwards. Write ${to}-${from}.`);
        if (bars.length + to - from > MOST) throw new Error('More than 20,000 bars. Write a shorter order.');
        for (let bar = from; bar <= to; bar += 1) bars.push(bar);
    }
    return bars;
}

/** Throws an Error where a typed order has bars that a score has not, which has `count` of them from `first` on. */
export function checkOrder(text, first, count) {
    const strange = playingOrder(text).find((bar) => bar < first || bar >= first + count);
    if (strange === undefined || !count) return;
    const found = `bars ${first} to ${first + count - 1} were found`;
    throw new Error(`There is no bar ${strange}: ${found}. Correct the order, or the bars.`);
}

/**
 * The bars of a plan in the order of playing, and the step (from 0) with which it begins again, or null. `plan.runs`
 * are [first, count], counted from the score's first bar; without a count they go on to its end. Where a map has more
 * bars than were found, the last one stands for them: what comes later keeps its place.
 */
export function planned({ runs, again }, bars) {
    const steps = [];
    let start = null;
    for (const [index, [first, count]] of runs.entries()) {
        if (index === again) start = steps.length;
        const last = count === undefined ? bars.length : first + count - 1;
        for (let bar = first; bar <= last && steps.length < MOST; bar += 1) steps.push(bars[bar - 1] ?? bars.at(-1));
    }
    return { steps: bars.length ? steps : [], again: start !== null && start < steps.length ? start : null };
}

/** A plan's order in the words in which one is typed, with the printed numbers of the bars. */
export function words({ runs, again }, first) {
    const number = (bar) => bar + first - 1;
    const text = runs.map(([from, count]) => {
        if (count === undefined) return `${number(from)}-`;
        return count === 1 ? `${number(from)}` : `${number(from)}-${number(from + count - 1)}`;
    });
    return text.join(' ') + (Number.isInteger(again) ? `, again from ${number(runs[again]?.[0] ?? 1)}` : '');
}
