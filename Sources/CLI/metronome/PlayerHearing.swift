internal import ALSABackend
internal import AudioIO
internal import Configuration
internal import Rhythm
internal import TerminalUI
internal import Timebase

/// Hears the player through a microphone while the metronome plays.
struct PlayerHearing: ~Copyable {
    private var stream: CaptureStream
    private var samples: CapturedSamples
    private let heap: Heap
    /// Beats that were rendered and are not told yet.
    private var struck: [BeatEvent] = []
    /// The metronome's frame at which its stream begins.
    private let start: Int64
    private let sampleRate: Double
    /// How much later than the devices report a click comes back, if that was calibrated.
    private let latency: Duration?
    private(set) var report = PlayingReport()
    /// What the follower does; `nil`: there is none.
    private(set) var state: BeatFollower.State?
    /// Where the next click goes; `nil`: nothing is to be played.
    private(set) var steering: BeatSteering?
    /// How many times the player has started.
    private(set) var starts = 0
    /// Samples read so far, the ones that were lost included.
    private var read: Int64 = 0
    private var hasJudgedPath = false
    private var block = [Float](repeating: 0, count: 4_096)

    /// One of the two engines. They have some hundred fields each. In a variable they would be moved field by field, which takes
    /// 160 kB of code.
    private final class Heap {
        var engine: ListeningEngine?, following: FollowingEngine?

        init(sampleRate: Hertz, clicks: PlayedClicks, lead: Lead?) throws(OnsetError) {
            if let lead {
                following = try FollowingEngine(
                    sampleRate: sampleRate, clicks: clicks, around: lead.around, patience: lead.patience)
            } else {
                engine = try ListeningEngine(sampleRate: sampleRate, clicks: clicks)
            }
        }
    }

    /// Opens a microphone at the rate of the playback stream.
    ///
    /// - Parameters:
    ///   - playback: what plays.
    ///   - clicks: those that the microphone hears.
    ///   - start: the metronome's frame at which the playback stream begins.
    init(
        device: String, beside playback: StreamFormat, clicks: PlayedClicks, start: Int64, lead: Lead? = nil,
        isVerbose: Bool
    ) throws {
        var request = StreamRequest.capture(device: device)
        request.sampleRate = playback.sampleRate
        request.whenLost = .reopen
        let heap = try Heap(sampleRate: playback.sampleRate, clicks: clicks, lead: lead)
        var stream = try CaptureStream(request)
        guard let samples = stream.takeSamples() else { throw AudioError.outOfResources("reading end") }
        let format = stream.format
        self.samples = samples
        self.heap = heap
        self.stream = stream
        (self.start, sampleRate) = (start, playback.sampleRate.value)
        latency = (try? CalibrationStore().latency(from: playback.device, to: format.device))?.hidden
        if isVerbose { complain("listening on \(format.description)") }
    }

    /// A descriptor to poll, readable when there are samples.
    var descriptor: Int32 { samples.fileDescriptor }

    /// Whether lateness is known, and not only its changes.
    var isAbsolute: Bool { latency != nil }

    var device: String { stream.format.device }

    /// Why the microphone ended, if it did.
    var failure: AudioError? { stream.failure }

    /// Gives a stroke that was rendered.
    mutating func expect(_ stroke: BeatEvent) {
        heap.engine?.expect(stroke)
        heap.following?.expect(stroke)
        if heap.following != nil, stroke.isBeat { struck.append(stroke) }
    }

    /// Processes what was recorded; returns the notes that are known now.
    mutating func hear(_ playback: StreamReport) -> [PlayedNote] {
        let capture = stream.report()
        let lost = capture.statistics.droppedFrames
        var block: [Float] = []
        swap(&block, &self.block)
        defer { swap(&block, &self.block) }
        // Bounded, so that a slow machine still draws and takes keys.
        for _ in 0..<8 {
            var span = block.mutableSpan
            guard let got = samples.readAvailable(into: &span), got.count > 0 else { break }
            let first = read + lost
            read += Int64(got.count)
            guard let arrived = capture.clock.time(ofFrame: first), let frame = playback.clock.frame(at: arrived)
            else { continue }
            let position = Double(start + frame) - (latency ?? .zero).inSeconds * sampleRate
            heap.engine?.process(block.span.extracting(first: got.count), at: position)
            heap.following?.process(block.span.extracting(first: got.count), at: position)
        }
        return take()
    }

    /// What the effect on the clicks of the count-in says about the path, once it is over.
    ///
    /// A player or a door in one of them changes their level by some decibels.
    mutating func pathWarning() -> String? {
        guard !hasJudgedPath, !report.points.isEmpty else { return nil }
        hasJudgedPath = true
        guard let change = heap.engine?.clickLevelChange, abs(change) >= Self.honestChange else { return nil }
        let size = fixedPoint(abs(change), decimals: 0)
        let cause = change < 0 ? "an echo canceller or automatic gain" : "automatic gain"
        return "the click became \(size) dB \(change < 0 ? "softer" : "louder") to \"\(device)\" in the count-in: "
            + "\(cause) changes what it hears; switch it off in the mixer or the sound server's settings"
    }

    private static let honestChange = 6.0

    /// Tells the notes that wait for the next beat, at the end.
    mutating func finish() -> [PlayedNote] {
        let silence = [Float](repeating: 0, count: Int(sampleRate / 2))
        if let position = heap.engine?.position { heap.engine?.process(silence.span, at: position) }
        if let position = heap.following?.position { heap.following?.process(silence.span, at: position) }
        return take()
    }

    private mutating func take() -> [PlayedNote] {
        var notes: [PlayedNote] = []
        while let note = heap.engine?.nextNote() ?? heap.following?.nextNote() {
            report.add(note)
            notes.append(note)
        }
        while let point = heap.engine?.nextPoint() ?? heap.following?.nextPoint() { report.add(point) }
        readFollower()
        return notes
    }

    var summary: PlayingSummary { PlayingSummary(report: report, isAbsolute: isAbsolute, sampleRate: sampleRate) }
}

/// What leads a metronome that follows.
extension PlayerHearing {
    /// How a metronome that follows begins and ends.
    struct Lead {
        /// A tempo given.
        var around: Tempo?
        /// The beats of four bars.
        var patience: Int
    }

    /// Whether a player leads.
    var isFollowing: Bool { state != nil }

    /// Waits for four notes again.
    mutating func wait() {
        heap.following?.stop()
        readFollower()
    }

    /// Takes over what the follower says now.
    private mutating func readFollower() {
        (state, steering) = (heap.following?.state, heap.following?.steering)
        starts = heap.following?.starts ?? 0
    }

    /// The beats that are over since the last call, with their strokes.
    mutating func beats() -> [(beat: FollowedBeat, stroke: BeatEvent)] {
        var beats: [(FollowedBeat, BeatEvent)] = []
        while let beat = heap.following?.nextBeat() {
            struck.removeAll { Double($0.floorFrame) + $0.fraction < beat.click - 0.5 }
            guard let stroke = struck.first else { continue }
            beats.append((beat, stroke))
        }
        return beats
    }
}
