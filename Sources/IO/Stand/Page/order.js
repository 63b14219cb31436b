// The order in which printed bars are played: "1-8 1-7 9-16".

/** The printed numbers one after the other. Throws an Error that says what is wrong. */
export function playingOrder(text) {
    const bars = [];
    for (const word of text.trim().split(/[\s,;]+/).filter(Boolean)) {
        const range = /^(\d{1,4})(?:[-–](\d{1,4}))?$/.exec(word);
        if (!range) throw new Error(`“${word}” is not a range of bars. Write them like 1-8 1-7 9-16.`);
        const from = Number(range[1]), to = Number(range[2] ?? range[1]);
        if (to < from) throw new Error(`“${word}” runs backwards. Write ${to}-${from}.`);
        if (bars.length + to - from > 20_000) throw new Error('More than 20,000 bars. Write a shorter order.');
        for (let bar = from; bar <= to; bar += 1) bars.push(bar);
    }
    return bars;
}
