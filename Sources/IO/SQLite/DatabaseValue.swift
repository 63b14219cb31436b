internal import CSQLite

/// A value of a statement.
package enum DatabaseValue: Sendable, Hashable {
    case null
    case integer(Int64)
    case real(Double)
    case text(String)
    case bytes([UInt8])

    package init(_ value: Int64?) { self = value.map(Self.integer) ?? .null }

    package init(_ value: Double?) { self = value.map(Self.real) ?? .null }

    package init(_ value: String?) { self = value.map(Self.text) ?? .null }

    func bind(to statement: OpaquePointer, at place: Int32) -> Int32 {
        switch self {
        case .null: sqlite3_bind_null(statement, place)
        case .integer(let value): sqlite3_bind_int64(statement, place, value)
        case .real(let value): sqlite3_bind_double(statement, place, value)
        case .text(let value):
            value.utf8.count > 1_000_000
                ? SQLITE_TOOBIG : bind_copied_text(statement, place, value, Int32(value.utf8.count))
        case .bytes(let value):
            value.count > 1_000_000
                ? SQLITE_TOOBIG : bind_copied_bytes(statement, place, value, Int32(value.count))
        }
    }
}

/// A row of a result, valid until the next one.
package struct DatabaseRow: ~Copyable {
    private let statement: OpaquePointer

    init(_ statement: OpaquePointer) { self.statement = statement }

    package func integer(_ column: Int32) -> Int64? { isNull(column) ? nil : sqlite3_column_int64(statement, column) }

    package func real(_ column: Int32) -> Double? { isNull(column) ? nil : sqlite3_column_double(statement, column) }

    package func text(_ column: Int32) -> String? { sqlite3_column_text(statement, column).map { String(cString: $0) } }

    package func bytes(_ column: Int32) -> [UInt8]? {
        guard let start = sqlite3_column_blob(statement, column) else { return isNull(column) ? nil : [] }
        return [UInt8](UnsafeRawBufferPointer(start: start, count: Int(sqlite3_column_bytes(statement, column))))
    }

    private func isNull(_ column: Int32) -> Bool { sqlite3_column_type(statement, column) == SQLITE_NULL }
}
