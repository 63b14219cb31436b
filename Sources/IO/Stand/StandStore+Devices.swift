package import SQLite

/// How much earlier a device shows light and shakes, in milliseconds.
package struct DeviceSliders: Sendable, Equatable {
    package var name: String
    package var light: Double, felt: Double
}

extension StandStore {
    /// The sliders of a device, which is remembered; `nil` for one that is neither known nor kept.
    ///
    /// - Parameter isKept: false for an audience, which would displace the player's own devices.
    package func sliders(of device: String, name: String, isKept: Bool = true) throws(DatabaseError) -> DeviceSliders? {
        guard let id = Identity.bytes(device) else { return nil }
        var found: DeviceSliders?
        try withDatabase { database throws(DatabaseError) in
            if isKept { try Self.remember(id, name, database) }
            try database.query("SELECT light_ms, felt_ms FROM device WHERE id = ?", [.bytes(id)]) { row in
                found = DeviceSliders(name: name, light: row.real(0) ?? 0, felt: row.real(1) ?? 0)
            }
        }
        return found
    }

    private static func remember(_ id: [UInt8], _ name: String, _ database: borrowing Database) throws(DatabaseError) {
        try database.run(
            """
            INSERT INTO device (id, name, seen_ms) VALUES (?, ?, ?)
            ON CONFLICT (id) DO UPDATE SET name = excluded.name, seen_ms = excluded.seen_ms
            """, [.bytes(id), .text(name), .integer(milliseconds)])
        // A thousand tablets are more than a player has; the rest were made up.
        try database.run("DELETE FROM device WHERE id NOT IN (SELECT id FROM device ORDER BY seen_ms DESC LIMIT 1000)")
    }

    /// Keeps what is given.
    package func keep(name: String?, light: Double?, felt: Double?, of device: String) throws(DatabaseError) {
        guard let id = Identity.bytes(device) else { return }
        try withDatabase { database throws(DatabaseError) in
            try database.run(
                """
                UPDATE device SET name = coalesce(?, name), light_ms = coalesce(?, light_ms),
                    felt_ms = coalesce(?, felt_ms) WHERE id = ?
                """, [DatabaseValue(name), DatabaseValue(light), DatabaseValue(felt), .bytes(id)])
        }
    }

    /// A value that was kept under a name.
    package func value(of key: String) throws(DatabaseError) -> String? {
        var value: String?
        try withDatabase { database throws(DatabaseError) in
            try database.query("SELECT value FROM meta WHERE key = ?", [.text(key)]) { value = $0.text(0) }
        }
        return value
    }

    package func keep(_ value: String, as key: String) throws(DatabaseError) {
        try withDatabase { database throws(DatabaseError) in
            try database.run("INSERT OR REPLACE INTO meta (key, value) VALUES (?, ?)", [.text(key), .text(value)])
        }
    }
}
