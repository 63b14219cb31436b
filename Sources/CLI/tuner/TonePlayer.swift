import ALSABackend
import AudioIO
import Configuration
import DeviceCalibration
import Synthesis
import TerminalUI

/// Tones on a device, with the keys that change them.
struct TonePlayer: ~Copyable {
    private var tone: ToneStream
    private var pitches: TonePitches
    private var level: Double
    private let color: ToneColor
    private let device: String
    private var output = StandardOutput()
    private var line = LiveLine()
    private var keyboard = Keyboard()

    /// A step of the level that is clearly heard, in decibels.
    private static let levelStep = 3.0

    init(_ tone: consuming ToneStream, pitches: TonePitches, level: Double, color: ToneColor) {
        (self.pitches, self.level, self.color) = (pitches, level, color)
        self.device = tone.stream.format.device
        self.tone = tone
    }

    /// Plays until the time is over, a key or a signal; returns the exit status.
    mutating func play(for duration: Duration?, watching signals: SignalWatch) throws -> Int32 {
        if output.isTerminal { keyboard.open() }
        defer { keyboard.close() }
        let end = duration.map { MonotonicTime.now() + $0 }
        var loop = EventLoop()
        _ = loop.watch(signals.descriptor)
        let typed = loop.watch(keyboard.descriptor)
        let stateChange = loop.watch(tone.stream.stateChangeDescriptor)
        var news = DeviceNews(of: device)
        try show()
        while true {
            if let end, end <= .now() { break }
            loop.change(typed, to: keyboard.descriptor)
            loop.wait(until: end)
            let ended = signals.status {
                keyboard.close()
                SignalWatch.pause()
                keyboard.open()
            }
            if let ended {
                try close()
                return ended
            }
            for key in keyboard.keys() {
                guard press(key) else {
                    try close()
                    return ExitStatus.ok
                }
                try show()
            }
            if loop.isReady(stateChange) { tone.stream.acknowledgeStateChange() }
            while let sentence = news.next(tone.stream.report(), because: tone.stream.loss) {
                try line.erase(on: &output)
                complain("tuner", sentence)
            }
            if let failure = tone.stream.failure {
                try line.end(on: &output)
                throw failure
            }
        }
        // The rest of the tone was not heard.
        if news.isLost, let loss = tone.stream.loss {
            try line.end(on: &output)
            throw loss
        }
        try close()
        return ExitStatus.ok
    }

    /// Fades out, and leaves the line.
    private mutating func close() throws(OutputClosed) {
        tone.fadeOut()
        try line.end(on: &output)
    }

    /// Acts on a key; returns false to quit.
    private mutating func press(_ key: Key) -> Bool {
        switch key {
        case .character("q"), .character("Q"), .escape: return false
        case .up, .right: move(by: 1)
        case .down, .left: move(by: -1)
        case .pageUp: move(by: 12)
        case .pageDown: move(by: -12)
        case .character("+"), .character("="): setLevel(level + Self.levelStep)
        case .character("-"), .character("_"): setLevel(level - Self.levelStep)
        case .character("s"), .enter: if pitches.moveString(by: 1) { tone.change(to: pitches.frequencies) }
        case .character("S"): if pitches.moveString(by: -1) { tone.change(to: pitches.frequencies) }
        default: break
        }
        return true
    }

    private mutating func move(by steps: Int) {
        pitches.move(by: steps)
        tone.change(to: pitches.frequencies)
    }

    private mutating func setLevel(_ decibels: Double) {
        level = max(Tone.levels.lowerBound, min(Tone.levels.upperBound, decibels))
        tone.change(to: level.decibels)
    }

    /// Shows what sounds, on a terminal. In a pipe, standard output is for data.
    private mutating func show() throws(OutputClosed) {
        guard output.isTerminal else { return }
        let text = "\(pitches.text)  \(color.rawValue)  \(fixedPoint(level, decimals: 0)) dB"
        let keys = "   arrows: pitch, + -: level, s: string, q: quit"
        let place = " on \"\(device.legible)\""
        let room = output.columns - 1
        let short = "\(pitches.names)  \(fixedPoint(level, decimals: 0)) dB"
        let choices = [
            text + place + keys, text + keys, text + "   keys: up down + - s q", short + "   up down + - s q", text,
            short,
        ]
        try line.draw(choices.first { $0.count <= room } ?? short, on: &output)
    }
}
