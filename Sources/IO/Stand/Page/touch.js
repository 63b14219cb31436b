// Fingers, pen and mouse on the pages: one moves or turns, two pinch, a pen writes.

const TAP = 12; // px that a finger may wander and still tap
const SWIPE = 60; // px of a swipe that turns a page
const EDGE = 0.25; // of the width at either side, where a tap turns

export class Touch {
    /** In the middle of the window, or anywhere while taps at the sides do not turn.
     *  @type {(x: number, y: number) => void} */
    onTap = () => {};
    /** Whether taps at the sides turn. */
    turns = () => true;
    #stage;
    #pen;
    #pointers = new Map();
    #moved = 0;
    #writer = null;

    constructor(root, stage, pen) {
        this.#stage = stage;
        this.#pen = pen;
        root.addEventListener('pointerdown', (event) => this.#down(event, root));
        root.addEventListener('pointermove', (event) => this.#move(event));
        root.addEventListener('pointerup', (event) => this.#up(event, root));
        root.addEventListener('pointercancel', (event) => this.#cancel(event));
        root.addEventListener('wheel', (event) => this.#wheel(event), { passive: false });
        root.addEventListener('contextmenu', (event) => event.preventDefault());
    }

    #down(event, root) {
        if (event.target.closest('button, a, input')) return;
        if (event.button !== 0 && event.pointerType === 'mouse') return;
        try { root.setPointerCapture(event.pointerId); } catch { /* it is up again */ }
        if (!this.#pointers.size) this.#moved = 0;
        const { clientX: x, clientY: y, pointerType: type } = event;
        const isPenWriting = this.#pointers.get(this.#writer)?.type === 'pen';
        if (this.#writer !== null && !isPenWriting) {
            this.#writer = null;
            this.#pen.cancel();
        }
        // A palm may lie there before the pen comes.
        if ((!this.#pointers.size || (type === 'pen' && !isPenWriting)) && this.#pen.takes(event)) {
            this.#writer = event.pointerId;
            this.#moved = Infinity; // nor does the palm tap when it is lifted last
            this.#pen.down(event);
        }
        this.#pointers.set(event.pointerId, { x, y, type, fromX: x, fromY: y });
    }

    #move(event) {
        const pointer = this.#pointers.get(event.pointerId);
        if (!pointer) return;
        if (event.pointerId === this.#writer) {
            this.#pen.move(event);
            return;
        }
        if (this.#writer !== null) return; // the palm beside the pen
        const before = this.#spread();
        const dx = event.clientX - pointer.x, dy = event.clientY - pointer.y;
        Object.assign(pointer, { x: event.clientX, y: event.clientY });
        this.#moved = Math.max(this.#moved, Math.hypot(pointer.x - pointer.fromX, pointer.y - pointer.fromY));
        if (this.#pointers.size === 2) {
            const after = this.#spread();
            this.#stage.move(after.x - before.x, after.y - before.y, true);
            this.#stage.magnify(after.distance / before.distance, after.x, after.y);
            this.#moved = Infinity;
        } else if (this.#moved > TAP && (this.#stage.view === 'scroll' || this.#stage.zoom > 1)) {
            this.#stage.move(dx, dy);
        }
    }

    #up(event, root) {
        const pointer = this.#pointers.get(event.pointerId);
        if (!pointer) return;
        this.#pointers.delete(event.pointerId);
        if (event.pointerId === this.#writer) {
            this.#writer = null;
            this.#pen.up();
            this.#pen.ask(event);
            return;
        }
        if (this.#pointers.size) return;
        const across = event.clientX - pointer.fromX, down = event.clientY - pointer.fromY;
        const part = event.clientX / root.clientWidth;
        if (this.#moved <= TAP) {
            if (part < EDGE && this.turns()) this.#stage.turn(-1);
            else if (part > 1 - EDGE && this.turns()) this.#stage.turn(1);
            else this.onTap(event.clientX, event.clientY);
        } else if (Number.isFinite(this.#moved) && this.#stage.view === 'pages' && this.#stage.zoom === 1
            && Math.abs(across) > SWIPE && Math.abs(across) > 2 * Math.abs(down)) this.#stage.turn(across < 0 ? 1 : -1);
    }

    #cancel(event) {
        this.#pointers.delete(event.pointerId);
        if (event.pointerId !== this.#writer) return;
        this.#writer = null;
        this.#pen.cancel();
    }

    #wheel(event) {
        event.preventDefault();
        if (event.ctrlKey) this.#stage.magnify(Math.exp(-event.deltaY / 200), event.clientX, event.clientY);
        else if (this.#stage.view === 'scroll' || this.#stage.zoom > 1) this.#stage.move(-event.deltaX, -event.deltaY);
    }

    #spread() {
        const [a, b] = this.#pointers.values();
        if (!b) return { x: a.x, y: a.y, distance: 1 };
        return { x: (a.x + b.x) / 2, y: (a.y + b.y) / 2, distance: Math.max(1, Math.hypot(a.x - b.x, a.y - b.y)) };
    }
}
