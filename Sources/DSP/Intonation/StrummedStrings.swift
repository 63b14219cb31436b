package import Music
package import Strum

/// The strings of an instrument that one strum sounds, in the order in which a `StrumEngine` takes them.
///
/// The engine wants strings of one pitch beside each other: they are sorted by pitch, and those of one pitch stay in the
/// order of the tuning.
package struct StrummedStrings: Sendable {
    /// The tunings that the strings may be in: first the player's, then the others of the instrument.
    private let tunings: [StringTuning]
    /// Whether they may be in others at all.
    private let hasOthers: Bool
    /// For each tuning and each string of the engine its position in the tuning's `strings`.
    private let orders: [[Int]]
    /// The first partials in each tuning, lowest first.
    private let places: [[Hertz]]

    /// How far the tuning may move before an engine has to be made anew. It finds a string within 60 cents of its place, and
    /// strings are up to 50 cents off.
    private static let reach = 10.cents
    /// With fewer strings a strum looks like an interval of any two notes.
    package static let fewest = 3

    /// The strings that a player tunes.
    ///
    /// - Parameter others: the tunings that they may be in if a strum does not fit.
    /// - Throws: `StrumError.unsupportedStringCount` without an instrument, or if it has more than 12 strings.
    package init(_ finder: NoteFinder, others: [StringTuning] = []) throws(StrumError) {
        let count = finder.strings?.strings.count ?? 0
        guard let own = finder.strings, count >= 2, count <= HeardStrum.mostStrings else {
            throw .unsupportedStringCount(count)
        }
        hasOthers = !others.isEmpty
        tunings =
            [own]
            + others.filter {
                $0.strings.count == count && $0.strings != own.strings && Self.canMeasure($0, in: finder.tuning)
            }
        let sorted = tunings.map(\.strings).map { notes in
            notes.indices.sorted { (notes[$0], $0) < (notes[$1], $1) }
        }
        // A string without a frequency in the tuning is refused by the engine.
        places = zip(tunings, sorted).map { tuning, order in
            order.map { finder.tuning.target(for: tuning.strings[$0])?.frequency ?? 0.hertz }
        }
        orders = sorted
    }

    /// Whether an engine can be made for a tuning.
    private static func canMeasure(_ strings: StringTuning, in tuning: Tuning) -> Bool {
        strings.strings.allSatisfy { note in
            tuning.target(for: note).map { StrumEngine.range.contains($0.frequency) } ?? false
        }
    }

    /// Whether an engine for these strings still serves a player whose instrument or tuning has changed: not to one of the
    /// tunings that it knows.
    ///
    /// - Parameter others: the tunings that the strings may be in by now.
    package func serve(_ finder: NoteFinder, others: [StringTuning] = []) -> Bool {
        guard hasOthers != others.isEmpty, let new = try? StrummedStrings(finder),
            let known = tunings.firstIndex(where: { $0.strings == new.tunings[0].strings })
        else { return false }
        return zip(places[known], new.places[0]).allSatisfy { abs(Cents(from: $0, to: $1).value) <= Self.reach.value }
    }

    /// An engine for them. Allocates.
    package func engine(sampleRate: Hertz) throws(StrumError) -> StrumEngine {
        try StrumEngine(strings: places[0], others: Array(places.dropFirst()), sampleRate: sampleRate)
    }

    /// For each string of the engine its position in a tuning, the player's own if `index` is 0.
    func order(of index: Int) -> [Int] { orders[index] }

    /// The tuning that a strum is in.
    func tuning(_ index: Int) -> StringTuning { tunings[index] }
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

    /// Whether three strings, or both of two, are about as loud as the loudest, and the strings explain the sound. One string of
    /// several may be too far off to be heard; more make another chord.
    var hasSeveralStrings: Bool {
        let isOnlyTheirs =
            !picture.hasForeignLines || count > 3 && (0..<count).count { readings[$0].isHeard } == count - 1
        let levels = (0..<count).filter { readings[$0].isHeard }.map { readings[$0].level.value }
        let loud = levels.count { $0 > (levels.max() ?? 0) - Self.widestLevels }
        return loud >= min(StrummedStrings.fewest, count) && picture.explained > Self.leastExplained && isOnlyTheirs
    }

    /// Whether several notes sound that are strings of none of the tunings.
    var hasOtherNotes: Bool { !picture.isStrum && picture.clarity < Self.noteClarity }

    /// In decibels: how far a string of a strum is below the loudest. What a single string leaves to others in the fit lies
    /// 13 dB below it and more.
    private static let widestLevels = 12.0
    /// As the engine has it for a strum.
    private static let leastExplained = 0.6
    /// Of several notes: half of real strums have less. Single sounds that do are noisy ones, and voices.
    private static let noteClarity = 0.6
}
