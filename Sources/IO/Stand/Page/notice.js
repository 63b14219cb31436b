// Words above the page that a musician should see now.

import { find } from './dom.js';

const LASTING = 5_000; // ms
let timer = 0;

addEventListener('close', () => document.body.append(find('notice')), true);

/** Shows words for `ms`, or until they are touched. */
export function notify(text, ms = LASTING) {
    // What lies outside of an open panel is covered by it, and not read out.
    (document.querySelector('dialog[open]') ?? document.body).append(find('notice'));
    find('notice').textContent = text;
    find('notice').hidden = false;
    find('notice').onclick = silence;
    clearTimeout(timer);
    if (Number.isFinite(ms)) timer = setTimeout(silence, ms);
}

export function silence() {
    find('notice').hidden = true;
}
