// What this device keeps for itself: its name, how it shows pages, light and vibration.

import { newID } from './dom.js';

const KEY = 'stand.settings';
const DEFAULTS = {
    device: '', name: '', view: 'pages', theme: 'auto', light: true, vibration: false,
    lightMS: 0, feltMS: 0, areSlidersNew: false, score: null, layers: [true, true, true], layer: 0,
};

class Settings {
    #values = { ...DEFAULTS };
    #listeners = [];

    constructor() {
        try { Object.assign(this.#values, JSON.parse(localStorage.getItem(KEY) ?? '{}')); } catch { /* as at first */ }
        if (!/^[0-9a-f]{32}$/.test(this.#values.device)) this.set('device', newID());
        if (!this.#values.name) this.set('name', deviceName());
    }

    get(key) {
        return this.#values[key];
    }

    set(key, value) {
        this.#values[key] = value;
        try { localStorage.setItem(KEY, JSON.stringify(this.#values)); } catch { /* kept until the page closes */ }
        for (const listener of this.#listeners) listener(key, value);
    }

    onChange(listener) {
        this.#listeners.push(listener);
    }
}

function deviceName() {
    const agent = navigator.userAgent;
    if (/iPad|Macintosh/.test(agent) && navigator.maxTouchPoints > 1) return 'iPad';
    if (/iPhone/.test(agent)) return 'iPhone';
    return /Android[^;]*; ([^;)]+)/.exec(agent)?.[1] ?? 'Computer';
}

export const settings = new Settings();
