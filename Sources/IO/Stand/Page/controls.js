// Start, stop, tap, tempo and section, from this device.

import { typedTempo } from './commands.js';
import { find, make } from './dom.js';

const AWAY = 4_000; // ms of running after which the controls leave
const PATIENCE = 1_000; // ms beyond a beat in which a tempo that was asked for has come, or was refused
const REPEAT = 120; // ms between steps of a tempo button that is held

export class Controls {
    #commands;
    #away = 0;
    #bar = null;
    #isRunning = false;
    #shown = '';
    #section = ''; // that sounds
    /** @type {{label: string, bar: number}[]} */
    #parts = [];
    #sounding = null; // the bar, in playing order
    #tempo = null; // that sounds
    /** @type {{bpm: number, until: number} | null} */
    #wanted = null; // asked for here, while the beat at which it comes is awaited

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
        // Also where nothing was changed, so that keys are the music's again.
        find('bpm').onkeydown = (event) => { if (event.key === 'Enter') find('bpm').blur(); };
        // Nothing is chosen while one chooses, so that the section that plays can be chosen too.
        find('section').onfocus = () => { find('section').value = ''; };
        find('section').onblur = () => { find('section').value = this.#section; };
        find('section').onchange = () => {
            this.#commands.give('section', { when: 'bar', value: find('section').value });
            find('section').blur();
        };
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

    /** The labelled parts, of which a label can be jumped to: {label, bar}, in the order of playing. */
    set parts(parts) {
        const labels = [...new Set(parts.map((each) => each.label))];
        [this.#parts, this.#sounding] = [parts, null];
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
        // While it runs the beat that sounds says it: the course has it earlier.
        if (!course.isRunning) this.tempo = course.bpm;
    }

    /** The tempo that sounds; not shown while another was asked for or is being typed. */
    set tempo(bpm) {
        this.#tempo = bpm;
        const wanted = this.#wanted;
        const hasCome = wanted && (Math.abs(bpm - wanted.bpm) < 0.05 || performance.now() > wanted.until);
        if (hasCome) this.#wanted = null;
        if (!this.#wanted) this.#show(bpm);
    }

    #show(bpm) {
        const text = bpm ? String(Math.round(bpm * 10) / 10) : '–';
        if (text === this.#shown || document.activeElement === find('bpm')) return;
        this.#shown = text;
        find('bpm').value = text;
    }

    /** The bar that sounds, in playing order. */
    set sounding(bar) {
        if (bar === this.#sounding) return;
        this.#sounding = bar;
        const part = this.#parts.filter((each) => each.bar <= bar).at(-1);
        if (!part || part.label === this.#section) return;
        this.#section = part.label;
        if (document.activeElement !== find('section')) find('section').value = part.label;
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
        const now = this.#wanted?.bpm ?? this.#tempo;
        const bpm = now && typedTempo(String(Math.round(now) + by));
        if (bpm) this.#set(bpm);
    }

    #type() {
        const bpm = typedTempo(find('bpm').value);
        find('bpm').blur();
        this.#shown = '';
        if (bpm) this.#set(bpm); else this.#show(this.#wanted?.bpm ?? this.#tempo);
    }

    #set(bpm) {
        this.#wanted = { bpm, until: performance.now() + PATIENCE + 60_000 / (this.#tempo || bpm) };
        this.#show(bpm);
        this.appear();
        this.#commands.give('tempo', { when: 'beat', value: bpm });
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
