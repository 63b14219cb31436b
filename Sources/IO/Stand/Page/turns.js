// Which halves of pages show at each step, so that what comes next is there before it is needed.

const READ = 1; // bars into one half before the other turns: the eye has left it

/**
 * What both halves show at each step of a playing order. `units` is the unit in which each played bar lies; unit 2p is
 * the first half of page p (from 0), 2p + 1 its second. An even unit shows in place 0, an odd one in place 1.
 */
export function turns(units) {
    if (!units.length) return [];
    const shown = [units[0] & ~1, units[0] | 1], steps = [];
    let entered = 0;
    for (let step = 0; step < units.length; step += 1) {
        if (step > 0 && units[step] !== units[step - 1]) entered = step;
        const here = units[step] & 1;
        shown[here] = units[step];
        let next = step;
        while (next < units.length && units[next] === units[step]) next += 1;
        const comes = units[next];
        const isElsewhere = comes !== undefined && (comes & 1) !== here;
        if (isElsewhere && (here === 1 || step - entered >= READ || next - step <= READ)) shown[1 - here] = comes;
        steps.push([...shown]);
    }
    return steps;
}
