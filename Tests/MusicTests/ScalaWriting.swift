import Music

/// Scala files written by the tests, so that what is read can be compared with what was written.
extension Scale {
    /// The text of a `.scl` file that reads back as the same scale.
    ///
    /// Line breaks in the description become spaces; quotation marks in names become apostrophes.
    var text: String {
        var text = " \(oneLine(description))\n \(count)\n!\n"
        for pitch in pitches { text += " \(pitch.text)\n" }
        if !names.isEmpty {
            let quoted = names.map { name in "\"" + String(oneLine(name).map { $0 == "\"" ? "'" : $0 }) + "\"" }
            text += "!\n! @ABL NOTE_NAMES \(quoted.joined(separator: " "))\n"
        }
        return text
    }

    /// A temperament as a scale of twelve notes from its tonic.
    init(_ temperament: Temperament) {
        let pitches = temperament.degrees.dropFirst().map { ScalePitch.cents($0.value) }
        self.init(description: temperament.name, pitches: pitches + [.ratio(2, 1)])
    }
}

extension KeyboardMapping {
    /// The text of a `.kbm` file that reads back as the same mapping.
    var text: String {
        """
        ! Size of the map, after which it repeats; 0 is linear:
        \(pattern.count)
        ! First key to retune:
        \(keys.lowerBound)
        ! Last key to retune:
        \(keys.upperBound)
        ! Middle key, which the first entry of the map is for:
        \(middle.midi)
        ! Reference key, whose frequency is given:
        \(reference.midi)
        ! Its frequency in hertz:
        \(fixedPoint(frequency.value))
        ! Formal octave: the degree by which each repetition is higher:
        \(formalOctave)
        ! The map: a degree for each key, x for none.

        """ + pattern.map { ($0.map { degree in "\(degree)" } ?? "x") + "\n" }.joined()
    }
}

extension ScalePitch {
    /// The pitch in a Scala file: `3/2`, or cents with a point.
    fileprivate var text: String {
        switch self {
        case .ratio(let numerator, let denominator): "\(numerator)/\(denominator)"
        case .cents(let cents): fixedPoint(cents)
        }
    }
}

/// The text with its line breaks replaced by spaces.
private func oneLine(_ text: String) -> String {
    String(text.map { $0 == "\n" || $0 == "\r" || $0 == "\r\n" ? " " : $0 })
}

/// A number in decimal digits with a point and without an exponent that reads back as the same `Double`.
private func fixedPoint(_ value: Double) -> String {
    // Swift prints the shortest digits that read back, but with an exponent if they are far from the point.
    let shortest = "\(value.magnitude)"
    let sign = value < 0 ? "-" : ""
    let halves = shortest.split(separator: "e")
    guard halves.count == 2, let exponent = Int(halves[1]) else { return sign + shortest }
    let mantissa = halves[0].split(separator: ".", omittingEmptySubsequences: false)
    let fraction = mantissa.count > 1 && mantissa[1] != "0" ? String(mantissa[1]) : ""
    let digits = String(mantissa[0]) + fraction
    let point = 1 + exponent
    if point <= 0 { return sign + "0." + String(repeating: "0", count: -point) + digits }
    let padded = digits + String(repeating: "0", count: max(0, point - digits.count))
    let tail = padded.dropFirst(point)
    return sign + padded.prefix(point) + "." + (tail.isEmpty ? "0" : tail)
}
