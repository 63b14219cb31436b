// What was drawn when, for the tests and the curious: kept only if the address ends in #trace.

const MOST = 300_000; // frames: over an hour

const isKept = location.hash === '#trace';
export const trace = { frames: [], flashes: [], revisions: [], clock: null, sheets: null };
if (isKept) globalThis.standTrace = trace;

export function keep(list, entry) {
    if (isKept && trace[list].length < MOST) trace[list].push(entry);
}
