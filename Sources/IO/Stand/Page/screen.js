// Keeping the screen awake, and the whole of it.

import { make } from './dom.js';

export class Screen {
    /** How the screen is kept awake: 'lock', 'video' or 'not'. */
    way = 'not';
    onChange = () => {};
    /** @type {any} */
    #lock = null;
    #video = null;

    constructor() {
        document.addEventListener('visibilitychange', () => {
            if (!document.hidden && this.way !== 'not') this.keepAwake();
        });
    }

    /** Called from a touch: browsers ask for one. */
    async keepAwake() {
        try {
            if (this.#lock && !this.#lock.released) return;
            this.#lock = await Reflect.get(navigator, 'wakeLock').request('screen');
            this.way = 'lock';
        } catch {
            // Over plain http there is no wake lock. A video that plays, of nothing, keeps most screens awake.
            try { await this.#play(); } catch { this.way = 'not'; }
        }
        this.onChange();
    }

    async #play() {
        if (!this.#video) {
            const canvas = make('canvas', { width: 16, height: 16 });
            const context = canvas.getContext('2d');
            const hidden = { className: 'awake', ariaHidden: 'true', tabIndex: -1 };
            this.#video = make('video', { muted: true, playsInline: true, ...hidden });
            this.#video.srcObject = canvas.captureStream(2);
            // A still canvas gives no frames.
            setInterval(() => context.fillRect(0, 0, 1, 1), 1_000);
            document.body.append(this.#video);
        }
        await this.#video.play();
        this.way = 'video';
    }

    get canFill() {
        return Boolean(document.fullscreenEnabled);
    }

    toggleFull() {
        const isFull = Boolean(document.fullscreenElement);
        const change = isFull ? document.exitFullscreen() : document.documentElement.requestFullscreen();
        change.catch(() => { /* refused: the page stays as it is */ });
    }
}
