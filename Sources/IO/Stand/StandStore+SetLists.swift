package import SQLite

/// A score of a set list, with the tempo in which it is played there.
package struct StoredSong: Sendable, Equatable {
    package let id: String, score: String, title: String
    /// In beats a minute; `nil`: the tempo stays.
    package let tempo: Double?
}

/// A set list that players made on their devices, in their own order.
package struct StoredSet: Sendable, Equatable {
    package let id: String, name: String
    package var songs: [StoredSong]
}

/// Set lists. Each change is whole by itself; where two devices change the same thing, the later one counts.
extension StandStore {
    /// As many as somebody scrolls through; a hundred evenings of thirty songs.
    private static let mostSets = 100, mostSongs = 500, mostSongsOfAll = 3_000

    /// All of them, by name.
    package func sets() throws(DatabaseError) -> [StoredSet] {
        var sets: [StoredSet] = []
        try withDatabase { database throws(DatabaseError) in
            try database.query("SELECT id, name FROM setlist ORDER BY name COLLATE NOCASE, id") { row in
                sets.append(StoredSet(id: Identity.text(row.bytes(0) ?? []), name: row.text(1) ?? "", songs: []))
            }
            for index in sets.indices {
                let sql = """
                    SELECT song.id, song.score, score.title, song.tempo FROM song JOIN score ON score.id = song.score
                    WHERE song.setlist = ? ORDER BY song.place
                    """
                let id = DatabaseValue.bytes(Identity.bytes(sets[index].id) ?? [])
                try database.query(sql, [id]) { row in
                    sets[index].songs.append(
                        StoredSong(
                            id: Identity.text(row.bytes(0) ?? []), score: Identity.text(row.bytes(1) ?? []),
                            title: row.text(2) ?? "", tempo: row.real(3)))
                }
            }
        }
        return sets
    }

    /// The song of this id; `nil` if it is on no list any more.
    package func song(_ id: String) throws(DatabaseError) -> StoredSong? {
        try sets().lazy.flatMap(\.songs).first { $0.id == id }
    }

    /// The song that was chosen last, where it is still on a list.
    package func keptSong() throws(DatabaseError) -> StoredSong? { try value(of: "song").flatMap(song) }

    package func keep(song: StoredSong?) throws(DatabaseError) { try keep(song?.id ?? "", as: "song") }

    /// Makes a change, or none where what it is about is gone.
    package func apply(_ change: SetListChange) throws(DatabaseError) {
        guard let set = Identity.bytes(change.set).map(DatabaseValue.bytes) else { return }
        try withDatabase { database throws(DatabaseError) in
            try database.transaction { () throws(DatabaseError) in
                switch change.action {
                case .name(let name):
                    try database.run(
                        """
                        INSERT INTO setlist (id, name) SELECT ?1, ?2 WHERE (SELECT count(*) FROM setlist) < \(Self.mostSets)
                            OR EXISTS (SELECT 1 FROM setlist WHERE id = ?1)
                        ON CONFLICT (id) DO UPDATE SET name = excluded.name
                        """, [set, .text(name)])
                case .remove: try database.run("DELETE FROM setlist WHERE id = ?", [set])
                case .add(let song, let score):
                    guard let song = Identity.bytes(song), let score = Identity.bytes(score) else { return }
                    try database.run(
                        """
                        INSERT OR IGNORE INTO song (id, setlist, place, score)
                        SELECT ?1, ?2, (SELECT count(*) FROM song WHERE setlist = ?2), ?3
                        WHERE EXISTS (SELECT 1 FROM setlist WHERE id = ?2)
                            AND EXISTS (SELECT 1 FROM score WHERE id = ?3)
                            AND (SELECT count(*) FROM song WHERE setlist = ?2) < \(Self.mostSongs)
                            AND (SELECT count(*) FROM song) < \(Self.mostSongsOfAll)
                        """, [.bytes(song), set, .bytes(score)])
                case .tempo(let song, let tempo):
                    try database.run(
                        "UPDATE song SET tempo = ? WHERE id = ? AND setlist = ?",
                        [DatabaseValue(tempo), .bytes(Identity.bytes(song) ?? []), set])
                case .drop(let song):
                    try database.run(
                        "DELETE FROM song WHERE id = ? AND setlist = ?", [.bytes(Identity.bytes(song) ?? []), set])
                    try Self.place(Self.songs(of: set, database), database)
                case .move(let song, let after):
                    var songs = try Self.songs(of: set, database)
                    guard let moved = Identity.bytes(song), let from = songs.firstIndex(of: moved) else { return }
                    songs.remove(at: from)
                    let before = after.flatMap(Identity.bytes).flatMap { songs.firstIndex(of: $0) }
                    songs.insert(moved, at: before.map { $0 + 1 } ?? 0)
                    try Self.place(songs, database)
                }
            }
        }
    }

    private static func songs(
        of set: DatabaseValue, _ database: borrowing Database
    ) throws(DatabaseError) -> [[UInt8]] {
        var songs: [[UInt8]] = []
        try database.query("SELECT id FROM song WHERE setlist = ? ORDER BY place", [set]) {
            songs.append($0.bytes(0) ?? [])
        }
        return songs
    }

    private static func place(_ songs: [[UInt8]], _ database: borrowing Database) throws(DatabaseError) {
        for (place, song) in songs.enumerated() {
            try database.run("UPDATE song SET place = ? WHERE id = ?", [.integer(Int64(place)), .bytes(song)])
        }
    }
}
