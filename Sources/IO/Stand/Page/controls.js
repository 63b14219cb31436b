// Start, stop, tap, tempo and section, from this device.

import { find, make } from './dom.js';

const SLOWEST = 10, FASTEST = 400; // beats a minute
const AWAY = 4_000; // ms of running after which the controls leave
const REPEAT = 120; // ms between steps of a tempo button that is held

export class Controls {
    #commands;
    #away = 0;
    #bar = null;
    #isRunning = false;
    #shown = '';

    constructor(commands) {
        this.#commands = commands;
        // At the press, not at the release: a finger's tap is the moment it lands.
        find('start').onclick = (event) => this.toggle(event);
        find('tap').addEventListener('pointerdown', (event) => this.tap(event));
        find('tap').addEventListener('click', (event) => { if (event.detail === 0) this.tap(event); });
        hold(find('slower'), () => this.#step(-1));
        hold(find('faster'), () => this.#step(1));
        find('bpm').onfocus = () => find('bpm').select();
        find('bpm').onchange = () => this.#type();
        find('section').onchange = () => this.#commands.give('section', { when: 'bar', value: find('section').value });
        find('from').onclick = () => {
            this.#commands.give('jump', { when: this.#isRunning ? 'bar' : 'now', value: this.#bar });
            this.choose(null);
        };
    }

    toggle(event) {
        this.#commands.give(this.#isRunning ? 'stop' : 'start', { pressed: event.timeStamp });
    }

    tap(event) {
        this.#commands.give('tap', { pressed: event.timeStamp });
    }

    /** The labels that can be jumped to. */
    set sections(labels) {
        find('section-field').hidden = !labels.length;
        find('section').replaceChildren(...labels.map((label) => make('option', { value: label, textContent: label })));
    }

    /** A bar that was touched: {step, number}, or null. */
    choose(bar) {
        this.#bar = bar?.step ?? null;
        find('from').hidden = !bar;
        if (bar) find('from').textContent = `From bar ${bar.number}`;
    }

    update(course) {
        if (course.isRunning !== this.#isRunning) {
            this.#isRunning = course.isRunning;
            document.body.classList.toggle('running', course.isRunning);
            find('start').querySelector('span').textContent = course.isRunning ? 'Stop' : 'Start';
            this.appear();
        }
        this.tempo = course.bpm;
        const section = course.section;
        if (section !== null && document.activeElement !== find('section')) find('section').value = section;
    }

    /** The tempo that sounds; not while somebody types another. */
    set tempo(bpm) {
        const text = bpm ? String(Math.round(bpm * 10) / 10) : '–';
        if (text === this.#shown || document.activeElement === find('bpm')) return;
        this.#shown = text;
        find('bpm').value = text;
    }

    /** Shows the controls; while the metronome runs they leave again. */
    appear() {
        clearTimeout(this.#away);
        document.body.classList.remove('away');
        if (this.#isRunning) this.#away = setTimeout(() => document.body.classList.add('away'), AWAY);
    }

    get areAway() {
        return document.body.classList.contains('away');
    }

    leave() {
        clearTimeout(this.#away);
        document.body.classList.add('away');
    }

    #step(by) {
        const now = Number(find('bpm').value);
        if (!Number.isFinite(now)) return;
        this.#set(Math.round(now) + by);
    }

    #type() {
        const typed = Number(find('bpm').value.replace(',', '.'));
        find('bpm').blur();
        if (Number.isFinite(typed) && typed > 0) this.#set(typed); else this.#shown = '';
    }

    #set(bpm) {
        const tempo = Math.max(SLOWEST, Math.min(FASTEST, bpm));
        find('bpm').value = this.#shown = String(tempo);
        this.appear();
        this.#commands.give('tempo', { when: 'beat', value: tempo });
    }
}

/** Calls `action` once at a press, and again and again while it is held. */
function hold(button, action) {
    let timer = 0;
    const stop = () => clearTimeout(timer);
    const again = () => {
        action();
        timer = setTimeout(again, REPEAT);
    };
    button.addEventListener('pointerdown', () => {
        action();
        timer = setTimeout(again, 4 * REPEAT);
    });
    for (const end of ['pointerup', 'pointerleave', 'pointercancel']) button.addEventListener(end, stop);
    button.addEventListener('click', (event) => { if (event.detail === 0) action(); });
}
