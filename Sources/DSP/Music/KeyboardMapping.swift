/// The assignment of keys to degrees of a scale, with a reference frequency: a Scala `.kbm` file.
///
/// The mapping is a pattern of keys that begins at the middle key and repeats up and down. Each repetition is higher by
/// the pitch of the formal octave degree. A linear mapping, of size 0, gives each key the next degree. By default a mapping
/// is linear, with degree 0 on middle C and A4 at 440 Hz.
package struct KeyboardMapping: Sendable, Hashable {
    /// The range of keys that are retuned, as MIDI numbers.
    package var keys = 0...127
    /// The key of the pattern's first entry; in a linear mapping, of degree 0.
    package var middle = Note(midi: 60)
    /// The key whose frequency is given.
    package var reference = Note(midi: 69)
    package var frequency = Hertz(440)
    /// The degree by which each repetition of the pattern is higher; 0 means the scale's period.
    package var formalOctave = 0
    /// The degree of each key of the pattern, `nil` for a key without a note; empty for a linear mapping.
    package var pattern: [Int?] = []
}

extension KeyboardMapping {
    /// Reads the text of a `.kbm` file.
    ///
    /// Lines that begin with `!` are comments; blank lines are ignored. Each other line holds one number: the size of the
    /// pattern (0 is linear), the first and last key, the middle key, the reference key, its frequency in hertz, the formal
    /// octave degree, and the pattern's degrees, where `x` is a key without a note. So are entries missing at the end. Keys
    /// are MIDI numbers from 0 to 127.
    /// - SeeAlso: Op de Coul, "Keyboard mappings", huygens-fokker.org/scala/help.htm#mappings.
    package init(parsing text: String) throws(TuningFileError) {
        var file = TuningFileReader(text, format: .mapping)
        let size = try file.integer("the size of the map", 0...Scale.maximumCount)
        let first = try file.integer("the first key", 0...127)
        let last = try file.integer("the last key, not below the first,", first...127)
        let middle = try file.integer("the middle key", 0...127)
        let reference = try file.integer("the reference key", 0...127)
        let frequency = try Self.frequency(&file)
        let octave = try file.integer("the formal octave degree", 0...Scale.maximumCount)
        var pattern: [Int?] = []
        while let line = file.nextLine() {
            let start = skipBlanks(line.text)
            guard pattern.count < size else {
                throw file.unexpected(
                    start, in: line, expected: "the end of the file, since the size of the map is \(size)")
            }
            if head(start) == "x" || head(start) == "X" {
                try file.requireEnd(tail(start), of: line)
                pattern.append(nil)
            } else {
                let digits = leadingDigits(start)
                guard let degree = Int(digits), degree <= Scale.maximumCount else {
                    throw file.unexpected(
                        start, in: line, expected: "a degree from 0 to \(Scale.maximumCount), or x for none")
                }
                try file.requireEnd(start[digits.endIndex...], of: line)
                pattern.append(degree)
            }
        }
        pattern += [Int?](repeating: nil, count: size - pattern.count)
        self.init(
            keys: first...last, middle: Note(midi: middle), reference: Note(midi: reference), frequency: frequency,
            formalOctave: octave, pattern: pattern)
    }

    /// Whether a key is retuned.
    ///
    /// `0...127`, all of MIDI, sets no limit: a tuner hears pitches rather than keys, and with 53 notes to the octave 128
    /// keys would span only two and a half octaves.
    func retunes(_ key: Note) -> Bool { keys == 0...127 || keys.contains(key.midi) }

    /// A key's entry in the pattern and the number of repetitions up; `nil` for a key without a note.
    ///
    /// The reference key has an entry even if it is not among `keys`.
    func entry(of key: Note) -> (degree: Int, repetition: Int)? {
        let distance = key.midi - middle.midi
        guard !pattern.isEmpty else { return (distance, 0) }
        let (repetition, index) = divided(distance, by: pattern.count)
        return pattern[index].map { ($0, repetition) }
    }

    private static func frequency(_ file: inout TuningFileReader) throws(TuningFileError) -> Hertz {
        let line = try file.next("the reference frequency in hertz")
        let start = skipBlanks(line.text)
        let digits = Substring(start.unicodeScalars.prefix { isDigit($0) || $0 == "." })
        guard digits.unicodeScalars.contains(where: isDigit),
            let value = Double("0\(digits)\(digits.contains(".") ? "0" : "")"),
            value.isFinite, value > 0
        else {
            throw file.unexpected(
                start, in: line, expected: "the reference frequency in hertz, above zero, as in 440.0")
        }
        try file.requireEnd(start[digits.endIndex...], of: line)
        return Hertz(value)
    }
}
