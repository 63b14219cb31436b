/// Fields as a line of comma-separated values (RFC 4180), in quotes where needed.
package func csvLine(_ fields: [String]) -> String {
    fields.map { field in
        let needsQuotes = field.contains { $0 == "," || $0 == "\"" || $0.isNewline }
        return needsQuotes ? "\"" + field.replacing("\"", with: "\"\"") + "\"" : field
    }.joined(separator: ",")
}
