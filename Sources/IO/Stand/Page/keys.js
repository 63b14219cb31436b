// Keys, and pedals, which are keyboards with two keys.

const TURNS = {
    PageDown: 1, ArrowRight: 1, ArrowDown: 1, PageUp: -1, ArrowLeft: -1, ArrowUp: -1,
};

/** `turn(direction)`, `toggle(event)`, `tap(event)`: forward and back, space, Enter. */
export function listen({ turn, toggle, tap }) {
    addEventListener('keydown', (event) => {
        if (event.ctrlKey || event.altKey || event.metaKey || document.querySelector('dialog[open]')) return;
        const target = event.target instanceof Element ? event.target : document.body;
        if (target.closest('input, select, textarea')) return;
        const isOnButton = target.closest('button, a, summary');
        if (event.key in TURNS) turn(TURNS[event.key]);
        else if (event.key === ' ' && !isOnButton) { if (!event.repeat) toggle(event); }
        else if (event.key === 'Enter' && !isOnButton) { if (!event.repeat) tap(event); }
        else return;
        event.preventDefault();
    });
}
