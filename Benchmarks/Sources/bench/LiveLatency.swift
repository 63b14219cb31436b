@_spi(Measurement) import ALSABackend
import ArgumentParser
import AudioIO
import Foundation
import Rivals
import WellTempered

/// `bench live`: from the microphone to the screen and from a key to the sound, by the built commands on terminals and
/// ALSA streams; to be run inside `Tests/Rigs/virtual-audio.sh run`.
struct LiveLatency: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "live", abstract: "Microphone to screen and key to sound, on a virtual sound server.")
    @OptionGroup var options: MeasureOptions
    @Option(help: "The folder with the commands.") var commands: String
    @Option(help: "Notes, and presses of a key.") var trials = 20

    func run() throws {
        let listening = try MicrophoneToScreen(command: commands + "/tuner", trials: trials).run()
        let played = try KeyToSound(trials: trials).runInParts()
        let keys = try KeyToSound(trials: trials).run(command: commands + "/metronome")
        func row(_ name: String, _ values: [Double]) -> [String] {
            [
                name, short(median(values)), short(percentile(values, 0.9)), short(values.max() ?? .nan),
                "\(values.count)",
            ]
        }
        func withMean(_ name: String, _ values: [Double]) -> [String] {
            row(name, values) + [short(values.reduce(0, +) / Double(values.count))]
        }
        let columns = ["milliseconds", "median", "p90", "most", "count"]
        let text =
            "PipeWire with a virtual microphone and speaker, quantum 256 (5.3 ms), through ALSA's plug-in. "
        try Part(
            tables: [
                Part.Table(
                    title: "From the microphone to the screen",
                    text: text
                        + "A4 and E5 in turn, from the moment the first sample is due at the virtual microphone, by "
                        + "the playing stream's clock. \"on the screen\": `tuner --line` shows the new note on its "
                        + "terminal. The parts are measured in a program with the same stream and the same engine.",
                    columns: columns,
                    rows: [
                        row("server, from its input to our device", listening.server),
                        row("period of 512 and ring, to our thread", listening.period),
                        row("sound the fit needs, in whole hops", listening.fit),
                        row("computing the reading", listening.computing),
                        row("all: first right reading", listening.reading),
                        row("of that, drawing: `tuner`'s screen after our reading", listening.drawing),
                        row("all: on the screen", listening.screen),
                    ], command: "bench live"),
                Part.Table(
                    title: "From a key to the sound",
                    text: text
                        + "The space bar that starts a metronome which was stopped, from the key to the first frame of "
                        + "the first click as the recording stream's clock tells. The parts are measured in a program "
                        + "with `metronome`'s stream, engine and commands, and a terminal whose keys it reads: each "
                        + "begins where the one above it ends, so that in every trial they sum up to \"all\", and so do "
                        + "their means; a microsecond is what the two streams' clocks disagree by. `metronome` by itself "
                        + "has the same way to go, beside its screen to draw.",
                    columns: columns + ["mean"],
                    rows: [
                        withMean("terminal, from the key to the program that reads it", played.reading),
                        withMean("command ring, until the stream asks for its next period", played.waiting),
                        withMean("engine, computing that period of 256", played.computing),
                        withMean("buffer of 1,024 and the click's place in the period", played.buffer),
                        withMean("server, from its output to the recording stream", played.server),
                        withMean("all: key to sound", played.whole),
                        withMean("`metronome` on its terminal: key to sound", keys),
                    ], command: "bench live"),
            ],
            summary: [
                "Microphone to screen on a virtual sound server: median \(short(median(listening.screen))) ms; key to "
                    + "sound: median \(short(median(keys))) ms."
            ]
        ).save(as: "live", in: options.results)
    }
}

/// Notes of 0.6 s with nearly as much silence between them: A4 and E5 in turn.
struct NoteTrain: FrameRenderer, Sendable {
    /// Not a multiple of a period: each note begins somewhere else in one.
    static let interval: Int64 = 57_737
    static let notes = [(name: "A4", hertz: 440.0), (name: "E5", hertz: 659.2551)]
    private var next: Int64 = 0

    static func onset(_ index: Int) -> Int64 { 48_000 + Int64(index) * interval }

    mutating func render(into frames: inout MutableSpan<Float>) {
        for n in frames.indices {
            frames[n] = Self.sample(at: next)
            next += 1
        }
    }

    private static func sample(at frame: Int64) -> Float {
        let since = frame - 48_000
        guard since >= 0, since % interval < interval / 2 else { return 0 }
        let hertz = notes[Int(since / interval) % 2].hertz
        let time = Double(since % interval) / 48_000
        var sum = 0.0
        for k in 1...5 { sum += sin(2 * .pi * hertz * Double(k) * time) / Double(k) }
        return Float(0.2 * sum * min(1, time / 0.002))
    }
}

/// What a note's way to the screen consists of, in milliseconds.
private struct MicrophoneToScreen {
    let command: String
    let trials: Int
    struct Result {
        var (server, period, fit, computing) = ([Double](), [Double](), [Double](), [Double]())
        var (reading, drawing, screen) = ([Double](), [Double](), [Double]())
    }

    func run() throws -> Result {
        var result = Result()
        guard let screen = Terminal([command, "--line"]) else { throw ValidationError("no terminal: \(command)") }
        var capture = try CaptureStream(.capture())
        guard var samples = capture.takeSamples() else { throw ValidationError("no samples") }
        var engine = try TunerEngine(sampleRate: capture.format.sampleRate)
        var feed = StreamRequest.playback(device: "va_feed")
        feed.sampleRate = 48.kilohertz
        var playback = try PlaybackStream(try PlaybackDevice(feed), playing: NoteTrain())
        defer { capture.stop() }
        var block = [Float](repeating: 0, count: 1_024)
        var (position, note) = (Int64(0), 0)
        var (wasRead, wasShown) = (false, false)
        var (onset, quiet, arrived) = (Int64(-1), 0, 0.0)
        var polled = [
            pollfd(fd: samples.fileDescriptor, events: Int16(POLLIN), revents: 0),
            pollfd(fd: screen.descriptor, events: Int16(POLLIN), revents: 0),
        ]
        let end = wallTime() + 5 + 1.2 * Double(trials)
        while note < trials, wallTime() < end {
            _ = poll(&polled, 2, 20)
            let now = wallTime()
            let wanted = NoteTrain.notes[note % 2]
            guard let due = playback.heardTime(ofFrame: NoteTrain.onset(note))?.seconds else { continue }
            if polled[1].revents != 0, screen.shown().contains(wanted.name), !wasShown, now > due {
                result.screen.append(1_000 * (now - due))
                // The other program may be ahead of this one.
                result.drawing.append(1_000 * (wasRead ? now - due : 0) - (wasRead ? result.reading.last ?? 0 : 0))
                wasShown = true
            }
            var span = block.mutableSpan
            if let read = samples.readAvailable(into: &span) {
                for n in 0..<read.count {
                    if abs(block[n]) > 1e-3 {
                        if quiet > 9_600 { (onset, arrived) = (position + Int64(n), now) }
                        quiet = 0
                    } else {
                        quiet += 1
                    }
                }
                position += Int64(read.count)
                engine.process(block.span.extracting(0..<read.count))
                let computed = wallTime()
                while let reading = engine.nextReading() {
                    let isRight =
                        reading.state == .voiced && abs(1_200 * log2(reading.frequency.value / wanted.hertz)) < 5
                    guard isRight, !wasRead, onset >= 0, now > due else { continue }
                    wasRead = true
                    result.reading.append(1_000 * (computed - due))
                    result.computing.append(1_000 * (computed - now))
                    result.fit.append(Double(reading.frame - onset) / 48)
                    if let heard = capture.captureTime(ofFrame: onset)?.seconds {
                        result.server.append(1_000 * (heard - due))
                        result.period.append(1_000 * (arrived - heard))
                    }
                }
            }
            // On to the next note while this one has fallen silent.
            if now > due + 0.9 { (note, wasRead, wasShown) = (note + 1, false, false) }
        }
        guard result.screen.count > trials / 2, result.reading.count > trials / 2 else {
            throw ValidationError(
                "of \(trials) notes \(result.reading.count) were read and \(result.screen.count) shown: is this the "
                    + "virtual sound server?")
        }
        return result
    }
}

extension MonotonicTime {
    /// As `wallTime` counts.
    var seconds: Double { Double(nanoseconds) * 1e-9 }
}
