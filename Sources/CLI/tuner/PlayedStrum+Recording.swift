import AudioIO
import Configuration
import Intonation

extension PlayedStrum {
    /// The strums of a recording for an instrument whose strums are looked for; none for others, and none at a sample rate
    /// at which strums cannot be measured.
    ///
    /// - Parameter others: other tunings of the instrument, for strings that are not in the one of `finder`.
    /// - Returns: the strums, and the tuning among `others` that they are of, if it is one of those.
    static func all(
        in path: String, input: InputOptions, tuning: TuningOptions, finder: NoteFinder, tolerance: Cents,
        others: [StringTuning]
    ) throws -> (strums: [PlayedStrum], tuning: StringTuning?) {
        guard finder.seeksStrums else { return ([], nil) }
        func sounds(_ finder: NoteFinder, until end: Duration? = nil) throws -> [TunedStrum] {
            try Self.sounds(in: path, input: input, tuning: tuning, finder: finder, tolerance: tolerance, until: end)
        }
        let own = try sounds(finder)
        var (best, most) = (nil as StringTuning?, fullness(own))
        // A second string more than by its own tuning: one may be found by chance.
        most += most > 0 ? 1 : 0
        for other in others where !own.isEmpty && !own.contains(where: isWhole) {
            var finder = finder
            finder.strings = other
            let tried = try sounds(finder, until: triedTime)
            // Some strings of another tuning may be those of a chord.
            let heard = tried.contains(where: isWhole) ? fullness(tried) : 0
            if heard > most { (best, most) = (other, heard) }
        }
        guard let best else { return (all(among: own), nil) }
        var finder = finder
        finder.strings = best
        return (all(among: try sounds(finder)), best)
    }

    /// All that begins in a recording.
    private static func sounds(
        in path: String, input: InputOptions, tuning: TuningOptions, finder: NoteFinder, tolerance: Cents,
        until end: Duration?
    ) throws -> [TunedStrum] {
        guard let strings = try? StrummedStrings(finder) else { return [] }
        let source = try AudioFileReader(path: path, channel: input.channelChoice)
        guard var recording = try? StrumRecording(source, strings: strings, name: path, tuning: tuning) else {
            return []
        }
        var (sequence, sounds) = (StrumSequence(), [TunedStrum]())
        // The pass for the notes reports an error in the file.
        while (try? recording.read()) ?? false {
            while let picture = recording.nextStrum(finder, tolerance: tolerance, isExpected: false) {
                sounds += sequence.hear(picture)
            }
            let time = recording.clock.time(ofFrame: recording.frames)
            if input.isOver(at: time) || end.map({ time > $0 }) ?? false { break }
        }
        return sounds + [sequence.finish()].compactMap(\.self)
    }

    /// The most strings that any strum has.
    private static func fullness(_ sounds: [TunedStrum]) -> Int {
        sounds.filter(\.isStrum).map { $0.strings.count { $0.isHeard } }.max() ?? 0
    }

    private static func isWhole(_ sound: TunedStrum) -> Bool { sound.isStrum && sound.strings.allSatisfy(\.isHeard) }
}

/// How much of a recording is tried with each other tuning: a strum or two at its start.
private let triedTime = Duration.seconds(30)
