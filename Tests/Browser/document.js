// As much of a document as the page's parts touch, for tests that need no browser.

class Element {
    value = '';
    textContent = '';
    hidden = false;
    dataset = {};
    style = {};
    listeners = {};
    children = [];
    classList = { toggle() {}, add() {}, remove() {}, contains: () => false };

    addEventListener(type, listener) {
        (this.listeners[type] ??= []).push(listener);
    }

    /** What a browser does for an event of this type. */
    fire(type, event = {}) {
        this[`on${type}`]?.({ detail: 1, ...event });
        for (const listener of this.listeners[type] ?? []) listener({ detail: 1, ...event });
    }

    contains() {
        return false;
    }

    querySelector() {
        return new Element();
    }

    querySelectorAll() {
        return [];
    }

    get nextElementSibling() {
        return new Element();
    }

    focus() {
        globalThis.document.activeElement = this;
    }

    blur() {
        globalThis.document.activeElement = null;
    }

    replaceChildren(...children) {
        this.children = children;
    }

    setAttribute() {}
    removeAttribute() {}
    append() {}
    remove() {}
}

/** Puts a new document in place; `find(id)` gives its elements. */
export function newDocument() {
    const elements = {};
    globalThis.document = {
        getElementById: (id) => (elements[id] ??= new Element()), body: new Element(), activeElement: null, hidden: false,
        addEventListener() {}, createElement: () => new Element(), createElementNS: () => new Element(),
    };
    return globalThis.document.getElementById;
}

/** A link that writes down what is sent; `tell(type, message)` is the server. */
export function newLink() {
    const handlers = {};
    return {
        isOpen: true,
        sent: [],
        on(type, handler) { (handlers[type] ??= []).push(handler); },
        tell(type, message = {}) { for (const handler of handlers[type] ?? []) handler(message); },
        send(message) {
            if (this.isOpen) this.sent.push(message);
            return this.isOpen;
        },
    };
}

/** The patterns that were felt: [time, pattern]. */
export const vibrations = [];
const vibrate = (pattern) => vibrations.push([performance.now(), pattern]);
Object.defineProperty(globalThis, 'navigator', { configurable: true, value: { vibrate, userAgent: '' } });

/** Runs `body(wait)` in a time of its own, in ms, with timers: `wait(ms)` lets it pass. */
export async function inTime(context, body) {
    let now = 1_000, count = 0;
    const timers = new Map();
    // Who looks at the clock lets a little time pass, so that one who waits for it does not wait for ever.
    context.mock.method(performance, 'now', () => { now += 0.001; return now; });
    context.mock.method(globalThis, 'setTimeout', (action, ms) => {
        count += 1;
        timers.set(count, { action, at: now + Math.max(0, ms) });
        return count;
    });
    context.mock.method(globalThis, 'clearTimeout', (id) => timers.delete(id));
    context.mock.method(globalThis, 'setInterval', () => 0);
    await body(async (ms) => {
        await settled();
        const end = now + ms;
        for (;;) {
            const [id, next] = [...timers].sort(([, one], [, other]) => one.at - other.at)[0] ?? [];
            if (!next || next.at > end) break;
            timers.delete(id);
            now = Math.max(now, next.at);
            next.action();
            await settled();
        }
        now = Math.max(now, end);
    });
}

/** When promises that are kept have told those who wait for them. */
const settled = () => new Promise((resolve) => { setImmediate(resolve); });

globalThis.addEventListener ??= () => {};
globalThis.location = { protocol: 'http:', host: 'stand', hash: '' };
