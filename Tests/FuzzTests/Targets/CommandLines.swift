import ArgumentParser
import Synchronization
@testable import Configuration

@testable import MetronomeCLI
@testable import musicstand
@testable import tuner

extension FuzzTarget {
    /// A set list: the lines of its entries are read as command lines, those of the last lists only once: libFuzzer changes some
    /// bytes of a list and leaves the other lines as they were.
    static let setList = FuzzTarget(name: "set-list", longest: 2_048) { bytes in
        guard let entries = try? SetList.entries(of: bytes.text, "fuzz") else { return }
        for entry in entries.prefix(4) where isNew(entry.words) { readMetronome(entry.words) }
    }

    /// Whether a line is not among the last ones.
    private static func isNew(_ line: [String]) -> Bool {
        readLines.withLock { lines in
            if lines.count == mostLines { lines = [] }
            return lines.insert(line).inserted
        }
    }

    private static let readLines = Mutex<Set<[String]>>([])

    /// Of 2 KB each they take 16 MB, a thirtieth of what a target may take.
    private static let mostLines = 8_192

    /// A command line of the metronome, one word on a line. It is read and laid out; nothing plays.
    static let metronomeLine = FuzzTarget(name: "metronome-line", longest: 512) { bytes in readMetronome(bytes.words) }

    /// A command line of the tuner, one word on a line. It is read, with its tuning; nothing is opened.
    static let tunerLine = FuzzTarget(name: "tuner-line", longest: 512) { bytes in
        let words = TunerCommand.respelled(bytes.words)
        guard let command = parsed(TunerCommand.self, words) else { return }
        switch command {
        case let listen as Listen: _ = try? listen.tuningOptions.finder()
        case let analyze as Analyze: _ = try? analyze.tuningOptions.finder()
        case let transcribe as Transcribe: _ = try? transcribe.tuningOptions.finder()
        case let tone as Tone: _ = try? tone.tuningOptions.finder()
        default: break
        }
    }

    /// A command line of the music stand, one word on a line. It is read; nothing is opened.
    static let standLine = FuzzTarget(name: "stand-line", longest: 512) { bytes in
        _ = parsed(MusicStandProgram.self, bytes.words)
    }

    private static func readMetronome(_ words: [String]) {
        guard let command = parsed(MetronomeProgram.self, words) as? MetronomeCommand,
            let grid = try? command.readPlan(), (try? command.sounds.read()) != nil
        else { return }
        _ = try? command.firstBars(of: grid)
    }

    /// A command, or what is wrong with it, as the user would see it.
    static func parsed<Command: Program>(_: Command.Type, _ words: [String]) -> (any ParsableCommand)? {
        do {
            return try Command.parse(words, [], words)
        } catch {
            _ = (Command.sentence(error), ExitStatus.of(error))
            return nil
        }
    }
}
