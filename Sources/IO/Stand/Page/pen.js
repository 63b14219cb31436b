// Writing on the pages: pen, marker, text and eraser, by pen, finger or mouse.

import { find, make } from './dom.js';
import { isNear, paint, trace } from './ink.js';
import { FULL } from './score.js';
import { settings } from './settings.js';

const COLOURS = { black: '#1a1a1a', red: '#c62828', blue: '#1565c0', green: '#2e7d32' };
const WIDTHS = { pen: 160, marker: 1_500, text: 160 }; // of 65,536 page widths: 0.5 mm and 5 mm on A4
const ERASED = FULL / 120; // between two looks of an eraser: half of how near it reaches
const STILL = FULL / 2_000; // a point nearer than this to the last tells nothing

export class Pen {
    isOn = false;
    tool = 'pen';
    colour = COLOURS.red;
    isDark = () => false;
    onShow = () => {};
    #sheets;
    #marks;
    #stroke = null;
    #hasPen = false;
    #bar = find('pen-bar');

    constructor(sheets, marks) {
        this.#sheets = sheets;
        this.#marks = marks;
        marks.onChange = () => this.paint();
        this.#build();
        find('undo').onclick = () => marks.undo(sheets.score?.id);
        find('redo').onclick = () => marks.redo(sheets.score?.id);
    }

    /** All marks of the pages that have a picture. */
    paint(pages = this.#sheets.sheets.filter((sheet) => sheet.source).map((sheet) => sheet.page)) {
        const score = this.#sheets.score;
        if (!score) return;
        for (const page of pages) {
            const sheet = this.#sheets.sheet(page);
            if (sheet) paint(sheet, this.#marks.on(score.id, page), settings.get('layers'), this.isDark());
        }
        find('undo').disabled = !this.#marks.canUndo(score.id);
        find('redo').disabled = !this.#marks.canRedo(score.id);
    }

    /** Whether a pointer that goes down writes. A pen always does; with one at hand, a palm never. */
    takes(event) {
        if (document.body.classList.contains('read-only')) return false;
        if (event.pointerType === 'pen') {
            this.#hasPen = true;
            return true;
        }
        return this.isOn && !(this.#hasPen && event.pointerType === 'touch');
    }

    down(event) {
        const place = this.#sheets.pointAt(event.clientX, event.clientY);
        if (!place) return;
        const layer = settings.get('layer');
        const look = { score: this.#sheets.score.id, page: place.sheet.page, layer, colour: this.colour };
        // The other end of some pens is an eraser: button 32.
        const tool = event.buttons & 32 ? 'eraser' : this.tool;
        this.#stroke = { tool, sheet: place.sheet, look, points: [], struck: new Set() };
        if (tool === 'text') return;
        this.#stroke.look = { ...look, kind: tool, width: WIDTHS[tool] };
        this.move(event);
    }

    move(event) {
        if (!this.#stroke) return;
        const { tool, sheet, look, points, struck } = this.#stroke;
        // Over plain http there are no coalesced events: the frame's own must do.
        const events = event.getCoalescedEvents?.() ?? [];
        for (const each of events.length ? events : [event]) {
            const place = this.#sheets.pointOn(sheet, each.clientX, each.clientY);
            const last = points.at(-1);
            if (tool === 'eraser') this.#erase(sheet, between(last ?? place, place), struck);
            if (last && Math.hypot(place.x - last.x, place.y - last.y) < STILL) continue;
            // A mouse and some fingers have no pressure: 0.5, as the standard says.
            points.push({ ...place, pressure: each.pressure || 0.5 });
        }
        if (tool === 'pen' || tool === 'marker') {
            const context = sheet.ink.getContext('2d'), { width, height } = sheet.ink;
            const fresh = points.slice(-1 - Math.max(1, events.length));
            if (tool === 'pen') trace(context, look, width, height, this.isDark(), fresh);
            else {
                paint(sheet, this.#marks.on(look.score, sheet.page), settings.get('layers'), this.isDark());
                trace(context, look, width, height, this.isDark(), points);
            }
        }
    }

    up() {
        const stroke = this.#stroke;
        this.#stroke = null;
        if (!stroke) return;
        if (stroke.tool === 'eraser') this.#marks.strike([...stroke.struck]);
        else if (stroke.tool !== 'text' && stroke.points.length) this.#marks.draw(stroke.look, stroke.points);
    }

    /** A second finger came: it was a pinch. */
    cancel() {
        this.#stroke = null;
        this.paint();
    }

    /** A text is asked for where the pointer was let go, so that the keyboard may open. */
    async ask(event) {
        const place = this.#sheets.pointAt(event.clientX, event.clientY);
        if (this.tool !== 'text' || !this.isOn || !place) return;
        const dialog = find('text-panel'), input = find('text');
        input.value = '';
        dialog.returnValue = '';
        dialog.showModal();
        await new Promise((resolve) => { dialog.onclose = resolve; });
        const text = input.value.trim();
        if (dialog.returnValue !== 'write' || !text) return;
        const score = this.#sheets.score.id, layer = settings.get('layer');
        const look = { score, page: place.sheet.page, layer, kind: 'text', colour: this.colour, width: WIDTHS.text };
        this.#marks.write(look, place.x, place.y, text);
    }

    show(isOn) {
        this.isOn = isOn;
        this.#bar.hidden = !isOn;
        find('pen').setAttribute('aria-pressed', String(isOn));
        document.body.classList.toggle('writing', isOn);
        this.onShow();
    }

    #erase(sheet, places, struck) {
        const score = this.#sheets.score.id, layers = settings.get('layers');
        const all = this.#marks.on(score, sheet.page).filter((stroke) => layers[stroke.layer] ?? true);
        for (const stroke of all) {
            if (places.some(({ x, y }) => isNear(stroke, x, y, sheet.aspect))) struck.add(stroke.id);
        }
        paint(sheet, all.filter((stroke) => !struck.has(stroke.id)), layers, this.isDark());
    }

    #build() {
        const choose = (group, button) => {
            for (const each of find(group).children) each.setAttribute('aria-pressed', String(each === button));
        };
        for (const button of find('tools').children) {
            button.onclick = () => {
                this.tool = button.value;
                choose('tools', button);
            };
        }
        for (const [name, colour] of Object.entries(COLOURS)) {
            const swatch = make('i', { className: `swatch ${name}`, ariaHidden: 'true' });
            const button = make('button', { type: 'button', className: 'colour', value: colour }, swatch, name);
            button.setAttribute('aria-pressed', String(colour === this.colour));
            button.onclick = () => {
                this.colour = colour;
                choose('colours', button);
            };
            find('colours').append(button);
        }
    }
}

/** Places from one to another, near enough that a quick eraser leaves nothing out. */
function between(from, to) {
    const steps = Math.ceil(Math.hypot(to.x - from.x, to.y - from.y) / ERASED) || 1;
    return Array.from({ length: steps }, (_, step) => {
        const part = (step + 1) / steps;
        return { x: from.x + (to.x - from.x) * part, y: from.y + (to.y - from.y) * part };
    });
}
