@_spi(Measurement) import ALSABackend
import ArgumentParser
import AudioIO
import CTerminal
import Foundation
import Rivals
import WellTempered

/// Milliseconds from the space bar to the first click.
struct KeyToSound {
    let trials: Int

    /// What the way consists of: each part begins where the one before it ends.
    struct Parts {
        var (reading, waiting, computing, buffer, server) = ([Double](), [Double](), [Double](), [Double](), [Double]())
        var whole: [Double] = []
    }

    /// By the built command on a terminal.
    func run(command: String) throws -> [Double] {
        guard let metronome = Terminal([command, "240"]) else { throw ValidationError("no terminal: \(command)") }
        var times: [Double] = []
        try press(
            metronome.descriptor, start: " ", stop: " ",
            meanwhile: { if $0 { _ = metronome.shown() } },
            heard: { pressed, heard in times.append(1_000 * (heard - pressed)) })
        return times
    }

    /// By a program with the same stream and the same engine, part by part.
    func runInParts() throws -> Parts {
        var (terminal, keyboard): (Int32, Int32) = (-1, -1)
        guard open_terminal(&terminal, &keyboard) == 0 else { throw ValidationError("no terminal") }
        let plan = try PracticePlan(tempo: Tempo(parsing: "240"), accents: AccentPattern(parsing: "4"))
        let device = try PlaybackDevice(.playback())
        let clicks = SPSCRing<RenderedClick>(minimumCapacity: 64, filler: RenderedClick())
        let metronome = try Metronome(plan, sampleRate: device.format.sampleRate, eventCapacity: 1_024)
        let player = KeyReader(keyboard, metronome.control)
        defer { player.end(by: terminal) }
        var rendered = clicks.consumer
        var stream = try PlaybackStream(device, playing: TimedEngine(metronome.engine, clicks.producer))
        var parts = Parts()
        try press(terminal, start: " ", stop: "x", meanwhile: { _ in }) { pressed, heard in
            // Those since the last start were struck while the key to stop was on its way.
            var click: RenderedClick?
            while let next = rendered.pop() { if next.begun > pressed, click == nil { click = next } }
            guard let click, let due = stream.heardTime(ofFrame: click.frame)?.seconds else { return }
            let times = [pressed, player.readTime, click.begun, click.done, due, heard]
            let steps = zip(times, times.dropFirst()).map { 1_000 * ($1 - $0) }
            parts.reading.append(steps[0])
            parts.waiting.append(steps[1])
            parts.computing.append(steps[2])
            parts.buffer.append(steps[3])
            parts.server.append(steps[4])
            parts.whole.append(1_000 * (heard - pressed))
        }
        guard parts.whole.count == trials, zip(parts.reading, parts.waiting).allSatisfy({ $0 > 0 && $1 > 0 }) else {
            throw ValidationError("\(parts.whole.count) of \(trials) clicks were measured from key to sound")
        }
        return parts
    }

    /// Starts and stops what plays, by keys, and tells when each start was pressed and heard.
    private func press(
        _ terminal: Int32, start: Character, stop: Character, meanwhile: (_ hasWritten: Bool) -> Void,
        heard tell: (_ pressed: Double, _ heard: Double) -> Void
    ) throws {
        var request = StreamRequest.capture(device: "va_monitor")
        (request.sampleRate, request.channelCount) = (48.kilohertz, 2)
        (request.periodFrames, request.bufferFrames) = (256, 4_096)
        var capture = try CaptureStream(request)
        guard var samples = capture.takeSamples() else { throw ValidationError("no samples") }
        defer { capture.stop() }
        var block = [Float](repeating: 0, count: 1_024)
        var (position, lastLoud) = (Int64(0), Int64(0))
        var (count, pressed) = (0, 0.0)
        // 0: sounding, to be stopped; 1: stopped, waiting for silence; 2: started, waiting for sound.
        var (stage, since) = (0, wallTime())
        let end = wallTime() + 5 + 3 * Double(trials)
        var polled = [
            pollfd(fd: samples.fileDescriptor, events: Int16(POLLIN), revents: 0),
            pollfd(fd: terminal, events: Int16(POLLIN), revents: 0),
        ]
        while count < trials, wallTime() < end {
            _ = poll(&polled, 2, 20)
            meanwhile(polled[1].revents != 0)
            var span = block.mutableSpan
            if let read = samples.readAvailable(into: &span) {
                for n in 0..<read.count where abs(block[n]) > TimedEngine.audible {
                    lastLoud = position + Int64(n)
                    if stage == 2, let heard = capture.captureTime(ofFrame: lastLoud)?.seconds,
                        heard > pressed
                    {
                        tell(pressed, heard)
                        (stage, since, count) = (0, wallTime(), count + 1)
                    }
                }
                position += Int64(read.count)
            }
            let now = wallTime()
            if stage == 0, now > since + 0.6 + 0.01 * Double(count % 7) {
                try type(stop, on: terminal)
                (stage, since) = (1, now)
            } else if stage == 1, now > since + 0.5, position - lastLoud > 19_200 {
                // Anywhere within a period: this loop wakes with the server.
                usleep(UInt32(613 * (count % 9)))
                pressed = wallTime()
                try type(start, on: terminal)
                (stage, since) = (2, now)
            } else if stage == 2, now > since + 1.5 {
                throw ValidationError("no click within 1.5 s of the key")
            }
        }
        guard count == trials else { throw ValidationError("\(count) of \(trials) presses were heard") }
    }

    private func type(_ key: Character, on terminal: Int32) throws {
        guard let byte = key.asciiValue, write(terminal, [byte], 1) == 1 else {
            throw ValidationError("the terminal takes no keys")
        }
    }
}

/// A thread that reads keys as a program does: the space bar starts the metronome, others stop it, `q` ends it.
private final class KeyReader: @unchecked Sendable {
    private var control: MetronomeControl
    private let lock = NSLock()
    private var newest = 0.0
    private let ended = DispatchSemaphore(value: 0)

    init(_ keyboard: Int32, _ control: consuming MetronomeControl) {
        self.control = control
        Thread { [self] in
            run(keyboard)
            close(keyboard)
            ended.signal()
        }.start()
    }

    /// When the last space bar was read, in seconds.
    var readTime: Double { lock.withLock { newest } }

    func end(by terminal: Int32) {
        _ = write(terminal, [UInt8(ascii: "q")], 1)
        ended.wait()
        close(terminal)
    }

    private func run(_ keyboard: Int32) {
        var polled = pollfd(fd: keyboard, events: Int16(POLLIN), revents: 0)
        var key: UInt8 = 0
        while poll(&polled, 1, -1) >= 0, read(keyboard, &key, 1) == 1, key != UInt8(ascii: "q") {
            guard key == UInt8(ascii: " ") else {
                control.stop()
                continue
            }
            lock.withLock { newest = wallTime() }
            control.start()
        }
    }
}

/// The first audible sample after silence, and when the block it lies in was computed.
private struct RenderedClick: BitwiseCopyable, Sendable {
    var frame: Int64 = 0
    var (begun, done) = (0.0, 0.0)
}

/// The engine as it is, with a look at the clock before and after each block.
private struct TimedEngine: FrameRenderer, ~Copyable, Sendable {
    /// What counts as sound, here and where it is recorded.
    static let audible: Float = 1e-3
    private var engine: MetronomeEngine
    private var clicks: SPSCRing<RenderedClick>.Producer
    private var (position, silence) = (Int64(0), Int64(0))

    init(_ engine: consuming MetronomeEngine, _ clicks: consuming SPSCRing<RenderedClick>.Producer) {
        self.engine = engine
        self.clicks = clicks
    }

    mutating func render(into frames: inout MutableSpan<Float>) {
        let begun = wallTime()
        engine.render(into: &frames)
        let done = wallTime()
        for n in frames.indices {
            silence += 1
            guard abs(frames[n]) > Self.audible else { continue }
            // Two beats of the plan are 0.25 s apart.
            if silence > 14_400 { _ = clicks.push(RenderedClick(frame: position + Int64(n), begun: begun, done: done)) }
            silence = 0
        }
        position += Int64(frames.count)
    }
}
