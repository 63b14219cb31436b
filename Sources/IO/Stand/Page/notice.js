// Words above the page that a musician should see now.

import { find } from './dom.js';

const LASTING = 5_000; // ms
let timer = 0;

/** Shows words for `ms`, or until they are touched. */
export function notify(text, ms = LASTING) {
    find('notice').textContent = text;
    find('notice').hidden = false;
    find('notice').onclick = silence;
    clearTimeout(timer);
    if (Number.isFinite(ms)) timer = setTimeout(silence, ms);
}

export function silence() {
    find('notice').hidden = true;
}
