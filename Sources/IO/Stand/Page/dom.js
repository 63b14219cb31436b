// The few things every module does with the document.

/** The element of the page with this id.
 *  @returns {any} */
export function find(id) {
    const element = document.getElementById(id);
    if (!element) throw new Error(`The page has no element “${id}”.`);
    return element;
}

/** A new element. Keys that it has as properties are set so, others as attributes.
 *  @returns {any} */
export function make(tag, properties = {}, ...children) {
    const element = document.createElement(tag);
    for (const [key, value] of Object.entries(properties)) {
        if (key in element) element[key] = value; else element.setAttribute(key, value);
    }
    element.append(...children);
    return element;
}

/** What is wrong and what to do next, as a sentence for a person. */
export function sentence({ problem, remedy }) {
    const end = /[.!?]$/, upper = problem.charAt(0).toUpperCase() + problem.slice(1);
    return `${upper}${end.test(upper) ? ' ' : '; '}${remedy}${end.test(remedy) ? '' : '.'}`;
}

/** 128 random bits as 32 hex digits. `crypto.randomUUID` is missing over plain http. */
export function newID() {
    const bytes = crypto.getRandomValues(new Uint8Array(16));
    return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
}

/** `matches`: whether the musician asked for little motion. */
export const prefersStillness = globalThis.matchMedia?.('(prefers-reduced-motion: reduce)') ?? { matches: false };
