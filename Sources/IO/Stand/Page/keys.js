// Keys, and pedals, which are keyboards with two keys.

const TURNS = {
    PageDown: 1, ArrowRight: 1, ArrowDown: 1, PageUp: -1, ArrowLeft: -1, ArrowUp: -1,
};

/** `turn(direction)`, `toggle(event)`, `tap(event)`: forward and back, space, Enter. They are for the music, except on
 *  what somebody has gone to by the Tab key: a focus that a finger or a closed panel has left behind is nobody’s. */
export function listen({ turn, toggle, tap }) {
    let isTabbed = false;
    addEventListener('pointerdown', () => { isTabbed = false; }, true);
    // The event does not bubble. A closed panel has given the focus to the button that opened it.
    addEventListener('close', () => {
        isTabbed = false;
        if (!document.querySelector('dialog[open]')) leave(document.activeElement);
    }, true);
    addEventListener('change', (event) => {
        if (event.target instanceof HTMLSelectElement && !isTabbed) leave(event.target);
    }, true);
    addEventListener('keydown', (event) => {
        if (event.key === 'Tab') isTabbed = true;
        if (event.ctrlKey || event.altKey || event.metaKey || document.querySelector('dialog[open]')) return;
        const target = event.target instanceof Element ? event.target : document.body;
        if (target.closest('input, textarea') || (isTabbed && target.closest('select'))) return;
        const isOnButton = isTabbed && target.closest('button, a, summary');
        if (event.key in TURNS) turn(TURNS[event.key]);
        else if (event.key === ' ' && !isOnButton) { if (!event.repeat) toggle(event); }
        else if (event.key === 'Enter' && !isOnButton) { if (!event.repeat) tap(event); }
        else return;
        if (!isTabbed) leave(target);
        event.preventDefault();
    });
}

/** Takes the focus away, so that the key's release presses nothing either. Tab goes on from there. */
function leave(element) {
    if (element instanceof HTMLElement && element !== document.body) element.blur();
}
