import Intonation
import Music
import TerminalUI

/// The notes of `tuner tone`, and how the keys change them.
struct TonePitches {
    private(set) var frequencies: [Hertz]
    private let finder: NoteFinder
    /// The string that sounds, if it is one.
    private var string: Int?

    /// - Parameter notes: as on the command line. None: the first string of the instrument, or A4.
    init(_ notes: [String], finder: NoteFinder) throws {
        self.finder = finder
        if notes.isEmpty, finder.strings != nil {
            string = finder.lockedString ?? 0
            frequencies = []
            frequencies = try [frequency(ofString: string ?? 0)]
        } else {
            frequencies = try (notes.isEmpty ? ["A4"] : notes).map { try Tone.frequency(of: $0, finder: finder) }
        }
    }

    /// Moves every tone by so many notes of the tuning. A tone that would leave the range of hearing stays.
    mutating func move(by steps: Int) {
        string = nil
        frequencies = frequencies.map { frequency in
            let tuning = finder.tuning
            guard let nearest = tuning.nearest(to: frequency) else { return frequency }
            let offset = Cents(from: nearest.target.frequency, to: frequency)
            // The notes by rising pitch: a key without a note is passed over.
            var key = nearest.target.key.midi
            var next: Tuning.Target?
            for _ in 0..<128 {
                key += steps
                next = tuning.target(for: Note(midi: key))
                if next != nil { break }
            }
            guard let moved = next?.frequency.raised(by: offset), (20...20_000).contains(moved.value) else {
                return frequency
            }
            return moved
        }
    }

    /// Goes on to the next string of the instrument, or the one before; returns whether there is one.
    mutating func moveString(by step: Int) -> Bool {
        guard let strings = finder.strings, frequencies.count == 1 else { return false }
        let count = strings.strings.count
        // From a note that is no string, to the first or the last.
        var next = string.map { $0 + step } ?? (step > 0 ? 0 : count - 1)
        // The second string of a course at one pitch.
        while (0..<count).contains(next), strings.isDouble(next) { next += step }
        next = (next + count) % count
        while strings.isDouble(next) { next = (next + count + step) % count }
        guard let found = try? frequency(ofString: next) else { return false }
        (string, frequencies) = (next, [found])
        return true
    }

    /// What sounds: `E2  82.41 Hz`, `D3 + A3  146.83 + 220.00 Hz`, `string 6: E2  82.41 Hz`.
    var text: String {
        "\(names)  \(frequencies.map { fixedPoint($0.value, decimals: 2) }.joined(separator: " + ")) Hz"
    }

    /// The notes that sound: `D3 + A3`.
    var names: String {
        var plain = finder
        plain.strings = nil
        let labels = frequencies.map { frequency -> String in
            guard let pitch = plain.pitch(of: frequency) else { return "" }
            let cents = fixedPoint(pitch.deviation.value, decimals: 1, signed: true)
            return pitch.label + (cents == "+0.0" || cents == "-0.0" ? "" : " \(cents) c")
        }
        let number = string.flatMap { finder.strings?.courseNumber(ofString: $0) }.map { "string \($0): " } ?? ""
        return number + labels.joined(separator: " + ")
    }

    private func frequency(ofString index: Int) throws -> Hertz {
        guard let strings = finder.strings?.strings, strings.indices.contains(index) else {
            return try Tone.frequency(of: "A4", finder: finder)
        }
        guard let target = finder.tuning.target(for: strings[index]) else {
            return try Tone.frequency(of: strings[index].description, finder: finder)
        }
        return target.frequency
    }
}
