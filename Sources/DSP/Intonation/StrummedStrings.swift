package import Music
package import Strum

/// The strings of an instrument that one strum sounds, in the order in which a `StrumEngine` takes them.
///
/// The engine wants strings of one pitch beside each other: they are sorted by pitch, and those of one pitch stay in the
/// order of the tuning.
package struct StrummedStrings: Sendable {
    /// For each string of the engine its position in the tuning's `strings`.
    let order: [Int]
    /// The first partials, lowest first.
    let places: [Hertz]

    /// How far the tuning may move before an engine has to be made anew. It finds a string within 60 cents of its place, and
    /// strings are up to 50 cents off.
    private static let reach = 10.cents
    /// With fewer strings a strum looks like an interval of any two notes.
    package static let fewest = 3

    /// The strings that a player tunes.
    ///
    /// - Throws: `StrumError.unsupportedStringCount` without an instrument, or if it has more than 12 strings.
    package init(_ finder: NoteFinder) throws(StrumError) {
        let notes = finder.strings?.strings ?? []
        guard notes.count >= 2, notes.count <= HeardStrum.mostStrings else {
            throw .unsupportedStringCount(notes.count)
        }
        let sorted = notes.indices.sorted { (notes[$0], $0) < (notes[$1], $1) }
        // A string without a frequency in the tuning is refused by the engine.
        (order, places) = (sorted, sorted.map { finder.tuning.target(for: notes[$0])?.frequency ?? 0.hertz })
    }

    /// Whether an engine for these strings still serves a player whose instrument or tuning has changed.
    package func serve(_ finder: NoteFinder) -> Bool {
        guard let new = try? StrummedStrings(finder), new.order == order else { return false }
        return zip(places, new.places).allSatisfy { abs(Cents(from: $0, to: $1).value) <= Self.reach.value }
    }

    /// An engine for them. Allocates.
    package func engine(sampleRate: Hertz) throws(StrumError) -> StrumEngine {
        try StrumEngine(strings: places, sampleRate: sampleRate)
    }
}

/// One picture of a strum with all its strings, to be passed from thread to thread.
package struct HeardStrum: Sendable, BitwiseCopyable {
    package let picture: StrumPicture
    /// The first sample of the strum, counted from the start of the stream rather than from the engine's last reset.
    package let frame: Int64
    let count: Int
    let readings: InlineArray<12, StringReading>

    static let mostStrings = 12

    /// What an engine has just found.
    ///
    /// - Parameter origin: the samples of the stream before the engine's last reset.
    package init(_ picture: StrumPicture, of engine: borrowing StrumEngine, origin: Int64 = 0) {
        self.picture = picture
        frame = picture.onset + origin
        count = engine.stringCount
        var readings = InlineArray<12, StringReading>(repeating: engine.reading(of: 0))
        for string in 1..<engine.stringCount { readings[string] = engine.reading(of: string) }
        self.readings = readings
    }

    /// Whether three strings, or both of two, are about as loud as the loudest, and the strings explain the sound.
    var hasSeveralStrings: Bool {
        let levels = (0..<count).filter { readings[$0].isHeard }.map { readings[$0].level.value }
        let loud = levels.count { $0 > (levels.max() ?? 0) - Self.widestLevels }
        return loud >= min(StrummedStrings.fewest, count) && picture.explained > Self.leastExplained
    }

    /// In decibels: how far a string of a strum is below the loudest. What a single string leaves to others in the fit lies
    /// 13 dB below it and more.
    private static let widestLevels = 12.0
    /// As the engine has it for a strum.
    private static let leastExplained = 0.6
}
