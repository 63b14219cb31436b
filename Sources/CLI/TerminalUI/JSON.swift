/// The pieces of JSON that the commands write (RFC 8259).
enum JSON {
    /// A number with a fixed count of decimals; infinity and not-a-number, which JSON lacks, are `null`.
    static func number(_ value: Double?, decimals: Int) -> String {
        value.flatMap { $0.isFinite ? fixedPoint($0, decimals: decimals) : nil } ?? "null"
    }

    /// A text in quotes.
    static func quoted(_ text: String) -> String {
        var quoted = "\""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "\"": quoted += "\\\""
            case "\\": quoted += "\\\\"
            case _ where scalar.value < 0x20:
                let digits = String(scalar.value, radix: 16)
                quoted += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
            default: quoted.unicodeScalars.append(scalar)
            }
        }
        return quoted + "\""
    }

    /// An object with its members in this order; values are JSON already.
    static func object(_ members: [(name: String, value: String)]) -> String {
        "{" + members.map { "\"\($0.name)\":\($0.value)" }.joined(separator: ",") + "}"
    }

    /// An array of JSON values.
    static func array(_ values: [String]) -> String { "[\(values.joined(separator: ","))]" }
}
