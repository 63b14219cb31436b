import AudioIO
import Configuration
import Intonation
import Strum

/// A recording, or raw sound, on its way through an engine for strums.
struct StrumRecording<Source: SampleSource & ~Copyable>: ~Copyable {
    /// The clock that counted its samples.
    let clock: SampleClock
    private let strings: StrummedStrings
    private var blocks: SampleBlocks<Source>
    private var engine: StrumEngine
    /// Samples before the engine was reset last.
    private var origin: Int64 = 0

    init(
        _ source: consuming Source, strings: StrummedStrings, name: String, tuning: TuningOptions
    ) throws(CommandError) {
        clock = tuning.clock(labelled: source.sampleRate)
        self.strings = strings
        engine = try strings.engine(for: name, sampleRate: clock.nominalRate, .input, remedy: "convert it to a rate")
        blocks = SampleBlocks(source)
    }

    /// Analyses the next block.
    ///
    /// - Returns: false at the end of the recording.
    mutating func read() throws(AudioError) -> Bool {
        guard let read = try blocks.next() else { return false }
        if read.followsGap {
            engine.reset()
            origin = frames - Int64(read.count)
        }
        engine.process(blocks.samples)
        return true
    }

    /// Samples that were read.
    var frames: Int64 { blocks.frames }

    /// The next picture of a strum or of another sound.
    ///
    /// - Parameter isExpected: whether the user said that strums come.
    mutating func nextStrum(_ finder: NoteFinder, tolerance: Cents, isExpected: Bool) -> TunedStrum? {
        guard let picture = engine.refine() else { return nil }
        let heard = HeardStrum(picture, of: engine, origin: origin)
        return TunedStrum(
            heard, of: strings, clock: clock, finder: finder, tolerance: tolerance, isExpected: isExpected)
    }
}

extension StrummedStrings {
    /// An engine, or what the user can do if there is none.
    ///
    /// - Parameters:
    ///   - name: what has this sample rate.
    ///   - remedy: how to get another rate.
    func engine(
        for name: String, sampleRate: Hertz, _ kind: CommandError.Kind, remedy: String
    ) throws(CommandError) -> StrumEngine {
        do throws(StrumError) {
            return try engine(sampleRate: sampleRate)
        } catch {
            guard case .unsupportedSampleRate = error else { throw CommandError(.usage, error, at: "--strum: ") }
            throw CommandError(
                kind, "\"\(name)\" runs at \(Int(sampleRate.value)) Hz", remedy: remedy + " from 16000 to 192000 Hz")
        }
    }
}

extension NoteFinder {
    /// Whether strums are told apart from single notes without being asked for: the player tunes all strings of an
    /// instrument with enough of them.
    var seeksStrums: Bool {
        lockedString == nil && (strings.map { $0.strings.count >= StrummedStrings.fewest } ?? false)
    }
}
