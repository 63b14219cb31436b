import Foundation

/// What one measurement found: the report is made of these.
struct Part: Codable {
    /// A table of RESULTS.md.
    struct Table: Codable {
        let title: String
        /// What was measured and how, in a sentence or three; and what was left out, by name.
        let text: String
        var columns: [String] = []
        var rows: [[String]] = []
        /// What another tool printed, instead of rows.
        var printed: String?
        /// The command that prints this table by itself.
        let command: String
    }
    var tables: [Table]
    var charts: [Chart] = []
    /// Lines of the summary at the top, such as "lock within 5 cents: median 12 ms".
    var summary: [String] = []

    /// Prints the tables, and leaves the part where the report finds it.
    func save(as name: String, in folder: String?) throws {
        for table in tables {
            print("\n" + table.title + "\n" + table.text)
            if let printed = table.printed { print(printed) }
            let rows = [table.columns] + table.rows
            let widths = table.columns.indices.map { column in rows.map { $0[column].count }.max() ?? 0 }
            for row in rows {
                var text = ""
                for (column, (cell, width)) in zip(row, widths).enumerated() {
                    text += column == 0 ? pad(cell, width + 1) : padLeft(cell, width + 2)
                }
                print(text)
            }
        }
        if let folder { try write(as: name, in: folder) }
    }

    private func write(as name: String, in folder: String) throws {
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.prettyPrinted, .sortedKeys]
        encoder.nonConformingFloatEncodingStrategy = Self.notNumbers.encoding
        try encoder.encode(self).write(to: URL(filePath: folder).appending(path: name + ".json"))
    }

    /// "Never" is a result too.
    private static let notNumbers = (
        encoding: JSONEncoder.NonConformingFloatEncodingStrategy.convertToString(
            positiveInfinity: "never", negativeInfinity: "-never", nan: "none"),
        decoding: JSONDecoder.NonConformingFloatDecodingStrategy.convertFromString(
            positiveInfinity: "never", negativeInfinity: "-never", nan: "none")
    )

    /// What was left in a folder, or `nil`.
    init?(_ name: String, in folder: String) {
        let decoder = JSONDecoder()
        decoder.nonConformingFloatDecodingStrategy = Self.notNumbers.decoding
        guard let data = try? Data(contentsOf: URL(filePath: folder).appending(path: name + ".json")),
            let part = try? decoder.decode(Part.self, from: data)
        else { return nil }
        self = part
    }

    init(tables: [Table], charts: [Chart] = [], summary: [String] = []) {
        (self.tables, self.charts, self.summary) = (tables, charts, summary)
    }
}

/// 0.01234 as "0.012", 12.34 as "12.3", 1234 as "1,234": three digits that count.
func short(_ value: Double) -> String {
    guard value.isFinite else { return "-" }
    let size = abs(value)
    if size == 0 { return "0" }
    if size >= 1_000 { return grouped(value) }
    if size >= 99.95 { return String(format: "%.0f", value) }
    if size >= 9.995 { return String(format: "%.1f", value) }
    if size >= 0.9995 { return String(format: "%.2f", value) }
    if size >= 0.000_095 { return String(format: "%.*f", 2 - Int(log10(size).rounded(.down)), value) }
    return String(format: "%.1e", value)
}

/// The value below which that share of the values lies; never, where it is not finite.
func percentile(_ values: [Double], _ share: Double) -> Double {
    guard !values.isEmpty else { return .nan }
    let sorted = values.sorted()
    return sorted[min(sorted.count - 1, Int((share * Double(sorted.count - 1)).rounded()))]
}

/// The middle one.
func median(_ values: [Double]) -> Double { percentile(values, 0.5) }
