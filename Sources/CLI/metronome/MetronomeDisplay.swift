internal import ALSABackend
internal import AudioIO
internal import Configuration
internal import DeviceCalibration
internal import MetronomeEngine
internal import Realtime
internal import TerminalUI
internal import Timebase
internal import Transport

/// Shows each beat on the terminal at the moment its frame is heard, and passes keys on. In a pipe each beat is a line.
struct MetronomeDisplay: ~Copyable {
    let format: StreamFormat
    /// The frame of the plan at which the stream began, and the one at which the plan ends.
    private let start: Int64, end: Int64?
    private var beats: SPSCRing<BeatEvent>.Consumer
    var keys: MetronomeKeys
    var recorder: SessionRecorder
    var model: MetronomeModel
    var listening: Listening?
    var accompaniment: Accompaniment?
    /// Strokes that were rendered and not heard yet.
    private var coming: [BeatEvent] = []
    var terminal: TerminalDisplay
    private let line: MetronomeLine
    let isTerminal: Bool
    private let prefersLine: Bool
    private var keyboard = Keyboard()
    var hasChanged = true
    /// How many starts of a player have been passed on, and whether the metronome is led.
    var starts = 0, isLed = false
    private var isOver = false
    private var news: DeviceNews
    /// When to look again.
    private var wake = MonotonicTime.now()
    /// How much later than the device reports a frame is heard.
    private let delay: Duration

    init(
        format: StreamFormat, delay: Duration, start: Int64, end: Int64?, beats: consuming SPSCRing<BeatEvent>.Consumer,
        model: MetronomeModel, keys: consuming MetronomeKeys, recorder: consuming SessionRecorder,
        listening: consuming Listening?, prefersLine: Bool
    ) {
        (self.format, self.start, self.end) = (format, start, end)
        (news, self.delay) = (DeviceNews(of: format.device), delay)
        self.beats = beats
        self.keys = keys
        self.recorder = recorder
        self.model = model
        let unicode = terminalShowsUnicode()
        terminal = TerminalDisplay(unicode: unicode, prefersLine: prefersLine)
        line = MetronomeLine(unicode: unicode)
        (isTerminal, self.prefersLine) = (terminal.output.isTerminal, prefersLine)
        self.listening = listening
        if let isAbsolute = self.listening?.hearing.isAbsolute {
            self.model.notes = HeardNotes(isAbsolute: isAbsolute)
        }
        if isTerminal { keyboard.open() }
    }

    /// Shows beats until the plan ends, the player quits, a signal arrives or the device is lost.
    mutating func run(
        showing stream: inout PlaybackStream<MetronomeEngine>, until signals: SignalWatch
    ) throws -> Int32 {
        var loop = EventLoop()
        let signalled = loop.watch(signals.descriptor)
        let stateChange = loop.watch(stream.stateChangeDescriptor)
        let typed = loop.watch(keyboard.descriptor)
        if let descriptor = listening?.hearing.descriptor { _ = loop.watch(descriptor) }
        if let descriptor = accompaniment?.companion.queue.descriptor { _ = loop.watch(descriptor) }
        while true {
            try showDue(&stream)
            accompany(&stream)
            try listen(&stream)
            if !isOver, hasPlayedOut(&stream) {
                // A busy machine may have kept the program waiting since it looked. What has become due is shown first, and a
                // set list goes on.
                try showDue(&stream)
                isOver = isOver || hasPlayedOut(&stream)
            }
            if isOver {
                try leave()
                // The last beats were not heard.
                if stream.report().state == .lost, let loss = stream.loss { throw loss }
                return ExitStatus.ok
            }
            try draw()
            loop.change(typed, to: keyboard.descriptor)
            loop.wait(until: min(wake, .now() + .seconds(max(0, min(0.05, model.nextChange - Self.now)))))
            if loop.isReady(signalled), let status = try obey(signals, &stream) { return status }
            if loop.isReady(typed) {
                for key in keyboard.keys() {
                    hasChanged = true
                    let request = keys.press(key, model: &model, at: Self.now)
                    if request == .wait { listening?.hearing.wait() }
                    guard request == .quit else { continue }
                    stream.stop()
                    try leave()
                    return ExitStatus.ok
                }
            }
            guard loop.isReady(stateChange) else { continue }
            stream.acknowledgeStateChange()
            try tellNews(&stream)
            if let failure = stream.failure {
                try close()
                throw failure
            }
        }
    }

    /// Acts on signals; returns the exit status when one of them ends the program.
    private mutating func obey(
        _ signals: SignalWatch, _ stream: inout PlaybackStream<MetronomeEngine>
    ) throws -> Int32? {
        hasChanged = true
        let status = try signals.status { () throws(OutputClosed) in
            try close()
            SignalWatch.pause()
            if isTerminal { keyboard.open() }
        }
        guard let status else { return nil }
        // Stop the sound before restoring the terminal.
        stream.stop()
        try leave()
        return status
    }

    private mutating func leave() throws {
        try close()
        try conclude()
    }

    private mutating func close() throws(OutputClosed) {
        keyboard.close()
        try terminal.end()
    }

    // MARK: Time

    static var now: Double { MonotonicTime.now().sinceStart.inSeconds }

    /// Whether the end of the plan has been heard. Its time may pass while the device has stopped, so frames decide.
    private mutating func hasPlayedOut(_ stream: inout PlaybackStream<MetronomeEngine>) -> Bool {
        // A trainer decides when the last stroke is heard.
        guard !keys.hasMoved, accompaniment == nil, listening?.trainer == nil, let end,
            let heard = heardTime(of: end, &stream)
        else { return false }
        let report = stream.report()
        let isOver = report.clock.newestFrame >= end - start || report.state == .lost
        if heard <= .now(), isOver { return true }
        wake = min(wake, max(heard, .now() + .milliseconds(1)))
        return false
    }

    /// Reports that the device was lost or is back.
    private mutating func tellNews(_ stream: inout PlaybackStream<MetronomeEngine>) throws(OutputClosed) {
        while let sentence = news.next(stream.report(), because: stream.loss) {
            hasChanged = true
            guard isTerminal else {
                complain(sentence)
                continue
            }
            model.trouble = news.isLost ? sentence : nil
            if !news.isLost { model.say(sentence) }
        }
    }

    /// Shows the beats that are due.
    private mutating func showDue(_ stream: inout PlaybackStream<MetronomeEngine>) throws(OutputClosed) {
        // A beat is queued at least half a buffer before it is heard. 50 looks a second cost half a percent of a core.
        wake = .now() + .seconds(min(0.02, Double(format.bufferFrames / 2) / format.sampleRate.value))
        model.advance(to: Self.now)
        while let beat = beats.pop() {
            listening?.hearing.expect(beat)
            follow(beat)
            coming.append(beat)
        }
        while let beat = coming.first {
            guard let said = stream.heardTime(ofFrame: beat.frame - start) else { return }
            let heard = said + delay
            guard heard <= .now() else { return wake = min(heard, .now() + .milliseconds(50)) }
            coming.removeFirst()
            guard !beat.isEnd else {
                if keys.playOn(&model) || repeats() { continue }
                // Nobody waits for a start on a device that is away.
                if accompaniment != nil, stream.report().state != .lost {
                    rest()
                    continue
                }
                return isOver = true
            }
            guard beat.isBeat else {
                // Only the full display shows them; a line would be drawn for nothing.
                guard isTerminal, !prefersLine else { continue }
                model.hear(stroke: beat)
                hasChanged = true
                continue
            }
            model.hear(beat, at: heard.sinceStart.inSeconds)
            if let entry = keys.list?.current { recorder.follow(entry) }
            recorder.hear(beat)
            tellHeard(beat, at: heard)
            listening?.trainer?.follow(beat, at: model.place, heardAt: heard.sinceStart.inSeconds)
            hasChanged = true
            if !isTerminal && listening == nil { try tell(beat) }
        }
    }

    /// When a frame of the plan is heard.
    func heardTime(of frame: Int64, _ stream: inout PlaybackStream<MetronomeEngine>) -> MonotonicTime? {
        stream.heardTime(ofFrame: frame - start).map { $0 + delay }
    }

    /// The frame of the plan that is heard at a moment.
    func frame(heardAt moment: MonotonicTime, _ stream: inout PlaybackStream<MetronomeEngine>) -> Int64? {
        stream.report().clock.frame(at: moment + (.zero - delay)).map { $0 + start }
    }

    // MARK: Drawing

    private mutating func draw() throws(OutputClosed) {
        guard isTerminal, hasChanged || model.nextChange <= Self.now || hasTicked else { return }
        // After `bg` nothing is drawn; `fg` sends no signal.
        guard !terminal.output.isInBackground else { return }
        keyboard.open()
        (hasChanged, drawnUntil) = (false, model.nextChange)
        let (line, model) = (line, model)
        try terminal.draw(picture: { MetronomeScreen.draw(model, on: $0) }, line: { line.text(model, columns: $0) })
    }

    /// Whether something timed has changed since the last picture.
    private var hasTicked: Bool { model.nextChange != drawnUntil }
    private var drawnUntil = 0.0

    private mutating func tell(_ beat: BeatEvent) throws(OutputClosed) {
        let seconds = padded(fixedPoint(Double(beat.frame) / format.sampleRate.value, decimals: 6), to: 12)
        let mark = beat.isMuted ? "muted" : "\(beat.level)"
        let tempo = model.place.countedNote + MetronomeModel.text(ofTempo: beat.tempo, fewest: 1)
        let place = "bar \(beat.bar)  beat \(beat.beat)/\(beat.beatsInBar)"
        try terminal.output.print(lines: ["\(seconds)  \(place)  \(mark)  \(tempo) BPM"])
    }
}
