// The connection to the server: opens by itself, again and again, and keeps the clock by its pings.

import { pause } from './clock.js';
import { settings } from './settings.js';

const SILENCE = 4_000; // ms without an answer to a ping: bad Wi-Fi answers within 0.5 s, a dead one never
const RARELY = 30_000; // ms before each attempt with a key that is not right any more: the server takes ten a minute
const GOING_AWAY = 1001; // RFC 6455, 7.4.1: the server ends
const UNREADABLE = 1003; // the same: the server cannot do anything with what it was sent
const AGAIN = [200, 400, 800, 1_000]; // ms before each attempt: a server that restarts is found within a second

export class Link {
    isOpen = false;
    #isShutOut = false; // the server has another key
    /** The last number of a mark that is known. */
    since = () => 0;
    #socket = null;
    #clock;
    #handlers = {};
    #attempt = 0;
    #pings = 0;
    #waiting = new Map(); // ping's id -> when it was sent
    #timer = 0;

    constructor(clock) {
        this.#clock = clock;
        setInterval(() => this.#watch(), SILENCE / 4);
        // A tablet that wakes up should not wait for the next attempt.
        document.addEventListener('visibilitychange', () => { if (!document.hidden && !this.isOpen) this.connect(); });
        addEventListener('online', () => { if (!this.isOpen) this.connect(); });
    }

    /** Calls `handler` with each message of a type. `open`, `close` and `locked` are types too. */
    on(type, handler) {
        (this.#handlers[type] ??= []).push(handler);
    }

    send(message) {
        if (this.#socket?.readyState !== WebSocket.OPEN) return false;
        this.#socket.send(JSON.stringify(message));
        return true;
    }

    connect(since = this.since()) {
        clearTimeout(this.#timer);
        this.#drop();
        if (this.#isShutOut) {
            this.#knock();
            return;
        }
        const scheme = location.protocol === 'https:' ? 'wss' : 'ws';
        const socket = this.#socket = new WebSocket(`${scheme}://${location.host}/live`);
        this.#timer = setTimeout(() => this.#lose(socket), SILENCE);
        let isLetIn = false;
        socket.onopen = () => {
            isLetIn = true;
            this.send({ type: 'hello', device: settings.get('device'), name: settings.get('name'), since });
            this.#pings = 0;
            this.#waiting.clear();
            this.#ping(socket);
        };
        socket.onmessage = (event) => this.#receive(socket, event.data, performance.now());
        socket.onclose = (event) => {
            if (isLetIn) this.#lose(socket, event.code); else this.#inquire(socket);
        };
    }

    /** A connection that was not let in cannot say why; another request can. */
    async #inquire(socket) {
        const isRefused = await isKeyRefused();
        if (socket !== this.#socket) return;
        if (isRefused) this.#shutOut(); else this.#lose(socket);
    }

    #shutOut() {
        if (!this.#isShutOut) this.#tell('locked', {});
        this.#isShutOut = true;
        this.#drop();
        clearTimeout(this.#timer);
        this.#timer = setTimeout(() => this.#knock(), RARELY);
    }

    async #knock() {
        clearTimeout(this.#timer);
        if (await isKeyRefused()) this.#shutOut();
        else if (this.#isShutOut) {
            this.#isShutOut = false;
            this.connect();
        }
    }

    #receive(socket, text, now) {
        if (socket !== this.#socket) return;
        let message;
        try { message = JSON.parse(text); } catch { return; }
        if (message.type === 'pong') {
            const sent = this.#waiting.get(message.id);
            for (const id of this.#waiting.keys()) if (id <= message.id) this.#waiting.delete(id);
            if (sent !== undefined) this.#clock.add(sent, now, message.r / 1e6, message.s / 1e6);
        }
        if (message.type === 'welcome') {
            this.isOpen = true;
            this.#attempt = 0;
        }
        this.#tell(message.type, message);
        if (message.type === 'welcome') this.#tell('open', message);
    }

    #ping(socket) {
        if (socket !== this.#socket || socket.readyState !== WebSocket.OPEN) return;
        this.#pings += 1;
        this.#waiting.set(this.#pings, performance.now());
        this.send({ type: 'ping', id: this.#pings });
        clearTimeout(this.#timer);
        this.#timer = setTimeout(() => this.#ping(socket), pause(this.#pings));
    }

    #watch() {
        const [oldest] = this.#waiting.values();
        if (this.#socket && performance.now() - oldest > SILENCE) this.#lose(this.#socket);
    }

    #lose(socket, code = 0) {
        if (socket !== this.#socket) return;
        this.#drop();
        if (this.isOpen) {
            this.isOpen = false;
            this.#tell('close', { hasEnded: code === GOING_AWAY, isUnreadable: code === UNREADABLE });
        }
        clearTimeout(this.#timer);
        this.#timer = setTimeout(() => this.connect(), AGAIN[Math.min(this.#attempt, AGAIN.length - 1)]);
        this.#attempt += 1;
    }

    #drop() {
        if (!this.#socket) return;
        this.#socket.onclose = this.#socket.onmessage = this.#socket.onopen = null;
        this.#socket.close();
        this.#socket = null;
    }

    #tell(type, message) {
        for (const handler of this.#handlers[type] ?? []) handler(message);
    }
}

/** Whether the server says that this page's key is wrong, or that too many were. */
async function isKeyRefused() {
    const patience = new AbortController(), timer = setTimeout(() => patience.abort(), SILENCE);
    try {
        const { status } = await fetch('/clock.js', { method: 'HEAD', cache: 'no-store', signal: patience.signal });
        return status === 401 || status === 429;
    } catch {
        return false; // nobody there
    } finally { clearTimeout(timer); }
}
