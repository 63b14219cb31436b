/// The pieces of JSON that the commands write (RFC 8259).
package enum JSON {
    /// A number with a fixed count of decimals; `nil` for none, infinity and not-a-number, which JSON lacks.
    package static func fixed(_ value: Double?, decimals: Int) -> String? {
        value.flatMap { $0.isFinite ? fixedPoint($0, decimals: decimals) : nil }
    }

    /// A number with as many digits as it takes to read the same value; `nil` for none.
    package static func exact(_ value: Double?) -> String? {
        guard let value, value.isFinite else { return nil }
        return value == value.rounded() && abs(value) < 1e15 ? "\(Int64(value))" : "\(value)"
    }

    package static func quoted(_ text: String) -> String {
        var quoted = "\""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "\"": quoted += "\\\""
            case "\\": quoted += "\\\\"
            // RFC 8259 asks for it below U+0020. Above, U+009B commands a terminal as ESC and [ do.
            case _ where scalar.properties.generalCategory == .control:
                let digits = String(scalar.value, radix: 16)
                quoted += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
            default: quoted.unicodeScalars.append(scalar)
            }
        }
        return quoted + "\""
    }

    /// An object with its members in this order. Values are JSON already; a member without a value is left out.
    package static func object(_ members: [(name: String, value: String?)]) -> String {
        "{" + members.compactMap { name, value in value.map { "\"\(name)\":\($0)" } }.joined(separator: ",") + "}"
    }

    package static func array(_ values: [String]) -> String { "[\(values.joined(separator: ","))]" }
}
