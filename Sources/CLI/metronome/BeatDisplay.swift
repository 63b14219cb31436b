internal import ALSABackend
internal import AudioIO
internal import Glibc
internal import MetronomeEngine
internal import Realtime
internal import TerminalUI
internal import Timebase

/// The terminal's side of the running metronome: each beat is shown at the moment its frame is heard.
struct BeatDisplay: ~Copyable {
    private let sampleRate: Int
    /// The frame of the plan with which the stream began.
    private let start: Int64
    private let end: Int64?
    private var beats: SPSCRing<BeatEvent>.Consumer
    private var output = StandardOutput()
    private var line = LiveLine()
    private let row = BeatRow(unicode: terminalShowsUnicode())
    private let isTerminal: Bool
    private var keyboard = KeyboardEcho()

    /// A display for the beats of a ring.
    ///
    /// - Parameters:
    ///   - start: the frame of the plan with which the stream begins.
    ///   - end: the frame after which there is nothing more to hear; `nil`: never.
    init(sampleRate: Int, start: Int64, end: Int64?, beats: consuming SPSCRing<BeatEvent>.Consumer) {
        (self.sampleRate, self.start, self.end) = (sampleRate, start, end)
        self.beats = beats
        isTerminal = output.isTerminal
        if isTerminal { keyboard.silence() }
    }

    /// Shows beats until the plan has been heard to its end, a signal comes, or the device is gone.
    mutating func run(
        showing stream: inout PlaybackStream<MetronomeEngine>, until signals: SignalWatch
    ) throws -> Int32 {
        var polled = [
            pollfd(fd: signals.descriptor, events: Int16(POLLIN), revents: 0),
            pollfd(fd: stream.stateChangeDescriptor, events: Int16(POLLIN), revents: 0),
        ]
        var news = DeviceNews(of: stream.format.device)
        while true {
            var wait = try showDue(&stream)
            if let end, let heard = stream.heardTime(ofFrame: end - start) {
                let left = (heard - MonotonicTime.now()).inNanoseconds
                let report = stream.report()
                // Its moment does not make it heard: the device may have stopped before.
                if left <= 0, report.clock.newestFrame >= end - start {
                    try line.end(on: &output)
                    return ExitStatus.ok
                }
                if left <= 0, report.state == .lost, let loss = stream.loss {
                    try line.end(on: &output)
                    throw loss
                }
                wait = min(wait, max(left, 1_000_000))
            }
            // Upwards to the millisecond: a beat is shown up to one late, never early.
            _ = poll(&polled, nfds_t(polled.count), Int32((wait + 999_999) / 1_000_000))
            while let signal = signals.next() {
                if signal == SIGWINCH { continue }
                guard signal == SIGTSTP else {
                    // Silence first: the terminal can wait.
                    stream.stop()
                    try line.end(on: &output)
                    return ExitStatus.ended(by: signal)
                }
                try line.end(on: &output)
                keyboard.restore()
                SignalWatch.pause()
                if isTerminal { keyboard.silence() }
            }
            if polled[1].revents != 0 {
                stream.acknowledgeStateChange()
                if let sentence = news.next(stream.report().state, because: stream.loss) {
                    try line.end(on: &output)
                    complain("metronome", sentence)
                }
                if let failure = stream.failure {
                    try line.end(on: &output)
                    throw failure
                }
            }
        }
    }

    /// Shows what is heard by now.
    ///
    /// - Returns: nanoseconds until there is something to do again.
    private mutating func showDue(_ stream: inout PlaybackStream<MetronomeEngine>) throws(OutputClosed) -> Int64 {
        // 5 ms: a look at the ring when nothing is waiting in it; a beat is rendered about 20 ms before it is heard.
        let idle: Int64 = 5_000_000
        while let beat = beats.peek() {
            guard beat.part == 0 && beat.layer == 0 && !beat.isEnd else {
                _ = beats.pop()
                continue
            }
            guard let heard = stream.heardTime(ofFrame: beat.frame - start) else { return idle }
            let left = (heard - MonotonicTime.now()).inNanoseconds
            if left > 0 { return min(left, 50_000_000) }
            _ = beats.pop()
            try show(beat)
        }
        return idle
    }

    private mutating func show(_ beat: BeatEvent) throws(OutputClosed) {
        let tempo = fixedPoint(beat.tempo, decimals: 1)
        if isTerminal {
            try line.draw(row.text(beat, tempo: tempo, columns: output.columns), on: &output)
        } else {
            let seconds = padded(fixedPoint(Double(beat.frame) / Double(sampleRate), decimals: 6), to: 12)
            let mark = beat.isMuted ? "muted" : "\(beat.level)"
            try output.print(
                "\(seconds)  bar \(beat.bar)  beat \(beat.beat)/\(beat.beatsInBar)  \(mark)  \(tempo) BPM\n")
            try output.flush()
        }
    }
}

extension Duration {
    /// The whole of it in nanoseconds.
    fileprivate var inNanoseconds: Int64 {
        let (seconds, attoseconds) = components
        return seconds * 1_000_000_000 + attoseconds / 1_000_000_000
    }
}
