// Marks that the server has not confirmed, kept in IndexedDB: they outlive a lost network and a closed page.

const STORE = 'marks';

export class Outbox {
    // id -> {id, make: stroke or null, wish: 'strike', 'revive' or null, served: what the server has, as a wish}
    #entries = new Map();
    #echoes = new Set(); // ids of which the server may tell once what it was asked before
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

    /** A mark is to be dead or alive. `served` is what the server has, as a wish. Returns whether it must be told. */
    wish(id, wish, served) {
        const old = this.#entries.get(id);
        if (!old && wish === served) return false;
        if (old) this.#echoes.add(id);
        this.#keep({ id, make: old?.make ?? null, wish, served });
        return true;
    }

    wishOf(id) {
        return this.#entries.get(id)?.wish ?? null;
    }

    /** While nothing is on its way: what was struck out and brought back again, or the reverse, is no wish. The server
     *  would change nothing and confirm nothing, and what others do with the mark later would be undone. */
    annul() {
        for (const entry of this.entries) {
            if (!entry.make && entry.wish === entry.served) this.#drop(entry.id);
            else if (entry.make && entry.wish === 'revive') this.#keep({ ...entry, wish: null });
        }
    }

    /** All entries are sent again: what the server tells of them first may be older. */
    resent() {
        this.#echoes = new Set(this.#entries.keys());
    }

    /** The server knows the stroke as alive or dead. Only what it said before it heard the wish is not final. */
    confirm(id, isDead) {
        const entry = this.#entries.get(id);
        if (!entry) return;
        const served = isDead ? 'strike' : 'revive';
        const isOlder = this.#echoes.delete(id) || entry.make !== null;
        if (isOlder && entry.wish !== null && entry.wish !== served) this.#keep({ ...entry, make: null, served });
        else this.#drop(id);
    }

    #drop(id) {
        this.#entries.delete(id);
        this.#echoes.delete(id);
        this.#write((store) => store.delete(id));
    }

    #keep(entry) {
        this.#entries.set(entry.id, entry);
        this.#write((store) => store.put(entry));
    }

    #write(change) {
        try { change(this.#database.transaction(STORE, 'readwrite').objectStore(STORE)); } catch { /* in memory */ }
    }
}
