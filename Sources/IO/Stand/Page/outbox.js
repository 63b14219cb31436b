// Marks that the server has not confirmed, kept in IndexedDB: they outlive a lost network and a closed page.

const STORE = 'marks';

export class Outbox {
    #entries = new Map(); // id -> {id, make: stroke or null, wish: 'strike', 'revive' or null}
    #database = null;

    /** Reads what an earlier page left. Works in memory alone where the browser gives no database. */
    async open() {
        try {
            this.#database = await new Promise((resolve, reject) => {
                const request = indexedDB.open('stand', 1);
                request.onupgradeneeded = () => request.result.createObjectStore(STORE, { keyPath: 'id' });
                request.onsuccess = () => resolve(request.result);
                request.onerror = () => reject(request.error);
            });
            const all = await new Promise((resolve, reject) => {
                const request = this.#database.transaction(STORE).objectStore(STORE).getAll();
                request.onsuccess = () => resolve(request.result);
                request.onerror = () => reject(request.error);
            });
            for (const entry of all) if (!this.#entries.has(entry.id)) this.#entries.set(entry.id, entry);
        } catch { /* private windows of some browsers */ }
        return [...this.#entries.values()];
    }

    get entries() {
        return [...this.#entries.values()];
    }

    make(stroke) {
        this.#keep({ id: stroke.id, make: stroke, wish: null });
    }

    wish(id, wish) {
        this.#keep({ id, make: this.#entries.get(id)?.make ?? null, wish });
    }

    /** The server knows the stroke as alive or dead. */
    confirm(id, isDead) {
        const entry = this.#entries.get(id);
        if (!entry) return;
        const isMet = entry.wish === null || (entry.wish === 'strike') === isDead;
        if (isMet) {
            this.#entries.delete(id);
            this.#write((store) => store.delete(id));
        } else if (entry.make) this.#keep({ ...entry, make: null });
    }

    #keep(entry) {
        this.#entries.set(entry.id, entry);
        this.#write((store) => store.put(entry));
    }

    #write(change) {
        try { change(this.#database.transaction(STORE, 'readwrite').objectStore(STORE)); } catch { /* in memory */ }
    }
}
