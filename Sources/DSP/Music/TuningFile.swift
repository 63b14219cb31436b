/// What is wrong with a Scala file, and where.
///
/// - SeeAlso: Op de Coul, "Scala scale file format" and "Keyboard mappings" (huygens-fokker.org/scala).
package enum TuningFileError: ExplainedError, Equatable {
    package enum Format: String, Sendable, Equatable {
        case scale
        case mapping = "keyboard mapping"
    }

    /// The text at this place is not what the format requires; lines and columns count from 1.
    case unexpected(in: Format, line: Int, column: Int, expected: String, found: String)
    /// The file ends before it is complete; `line` is the one after its last.
    case ended(in: Format, line: Int, expected: String)

    package var problem: String {
        switch self {
        case .unexpected(let format, let line, let column, _, let found):
            found.isEmpty
                ? "line \(line) of the \(format.rawValue) ends at column \(column)"
                : "line \(line), column \(column) of the \(format.rawValue) is '\(found)'"
        case .ended(let format, let line, _): "the \(format.rawValue) ends at line \(line)"
        }
    }

    package var remedy: String {
        switch self {
        case .unexpected(_, _, _, let expected, _): "it should be \(expected)"
        case .ended(_, _, let expected): "add \(expected)"
        }
    }
}

/// Decodes a Scala file. Files from the Scala archive are ISO 8859-1, newer ones UTF-8: bytes that are valid UTF-8 are read
/// as that, all others as ISO 8859-1.
public func scalaText(decoding bytes: [UInt8]) -> String {
    if let text = String(validating: bytes, as: UTF8.self) { return text }
    return String(String.UnicodeScalarView(bytes.map { Unicode.Scalar($0) }))
}

/// Reads a Scala file line by line, without its comments.
struct TuningFileReader {
    /// A line that is not a comment.
    struct Line {
        let number: Int
        let text: Substring
    }

    let format: TuningFileError.Format
    /// The comments, without their `!`.
    private(set) var comments: [Substring] = []
    private var lines: ArraySlice<Line> = []
    private var end = 1

    init(_ text: String, format: TuningFileError.Format) {
        self.format = format
        var found: [Line] = []
        // By bytes, since "\r\n" is one character, and U+2028 is not a line break here.
        let bytes = text.utf8
        var start = bytes.startIndex
        if text.unicodeScalars.first == "\u{FEFF}" { start = text.unicodeScalars.index(after: start) }
        var number = 1
        while start < bytes.endIndex {
            var stop = start
            while stop < bytes.endIndex, bytes[stop] != 10, bytes[stop] != 13 { bytes.formIndex(after: &stop) }
            let line = text[start..<stop]
            if line.utf8.first == UInt8(ascii: "!") {
                comments.append(tail(line))
            } else {
                found.append(Line(number: number, text: line))
            }
            number += 1
            guard stop < bytes.endIndex else { break }
            start = bytes.index(after: stop)
            if bytes[stop] == 13, start < bytes.endIndex, bytes[start] == 10 { bytes.formIndex(after: &start) }
        }
        lines = found[...]
        end = number
    }

    /// The next line that is not blank, or the next of all; `nil` at the end.
    mutating func nextLine(blankCounts: Bool = false) -> Line? {
        while let line = lines.popFirst() { if blankCounts || !line.text.utf8.allSatisfy(isBlank) { return line } }
        return nil
    }

    mutating func next(_ expected: String, blankCounts: Bool = false) throws(TuningFileError) -> Line {
        if let line = nextLine(blankCounts: blankCounts) { return line }
        throw .ended(in: format, line: end, expected: expected)
    }

    /// The error for the text at `rest` in a line.
    func unexpected(_ rest: Substring, in line: Line, expected: String) -> TuningFileError {
        let before = line.text[line.text.startIndex..<rest.startIndex]
        var found = ""
        for scalar in rest.unicodeScalars.prefix(40) {
            // A message must be printable.
            found.unicodeScalars.append(scalar.value < 32 || (127..<160).contains(scalar.value) ? "?" : scalar)
        }
        return .unexpected(in: format, line: line.number, column: before.count + 1, expected: expected, found: found)
    }

    /// Reads a whole number that is alone on its line, except for spaces and a comment.
    mutating func integer(_ expected: String, _ range: ClosedRange<Int>) throws(TuningFileError) -> Int {
        let line = try next(expected)
        let start = skipBlanks(line.text)
        let digits = leadingDigits(start)
        guard !digits.isEmpty, let value = Int(digits), range.contains(value) else {
            throw unexpected(start, in: line, expected: "\(expected) from \(range.lowerBound) to \(range.upperBound)")
        }
        try requireEnd(start[digits.endIndex...], of: line)
        return value
    }

    /// Throws if anything but spaces and a comment follows.
    func requireEnd(_ rest: Substring, of line: Line) throws(TuningFileError) {
        let after = skipBlanks(rest)
        guard after.isEmpty || head(after) == "!" else {
            throw unexpected(after, in: line, expected: "the end of the line")
        }
    }
}

func isBlank(_ byte: UInt8) -> Bool { byte == 32 || byte == 9 }

/// 0 to 9, not the digits of other scripts.
func isDigit(_ scalar: Unicode.Scalar) -> Bool { scalar >= "0" && scalar <= "9" }

/// The digits at the start of a text.
///
/// Scala files are read by Unicode scalars, so that a combining mark does not hide the digit or the `!` before it.
func leadingDigits(_ text: Substring) -> Substring { Substring(text.unicodeScalars.prefix(while: isDigit)) }

func head(_ text: Substring) -> Unicode.Scalar? { text.unicodeScalars.first }

func tail(_ text: Substring) -> Substring { Substring(text.unicodeScalars.dropFirst()) }

/// The text from its first character that is neither space nor tab.
func skipBlanks(_ text: Substring) -> Substring { Substring(text.unicodeScalars.drop { $0 == " " || $0 == "\t" }) }
