internal import ALSABackend
internal import AudioIO
internal import Realtime
internal import Rhythm
internal import Synthesis
internal import TerminalUI
internal import Timebase

/// Compares the clicks that a microphone records with those that were played.
struct ClickHearing: ~Copyable {
    private var samples: CapturedSamples
    private var beats: SPSCRing<BeatEvent>.Consumer
    private var moments: SPSCRing<RenderMoment>.Consumer
    private var listener: ClickListener
    private let start: Int64
    /// The measured frames per second of each stream.
    private let playedRate: Double, heardRate: Double
    /// The standard error of the ratio of the two rates.
    private let clockStandardError: PartsPerMillion
    private let hidden: Duration
    private var block = [Float](repeating: 0, count: 8_192)
    private var clicks = ReturnedClicks()
    /// When each block was rendered, for the last seconds.
    private var rendered: [RenderMoment] = []
    private var roundTrips = (count: 0, sum: 0.0)
    private var read: Int64 = 0

    init(
        samples: consuming CapturedSamples, beats: consuming SPSCRing<BeatEvent>.Consumer,
        moments: consuming SPSCRing<RenderMoment>.Consumer, sounds: [ClickSound], start: Int64,
        rates: (label: Int, played: PartsPerMillion, heard: PartsPerMillion), clockStandardError: PartsPerMillion,
        hidden: Duration
    ) {
        listener = ClickListener(sampleRate: Double(rates.label).hertz, knowing: sounds)
        (playedRate, heardRate) = (Double(rates.label) * rates.played.ratio, Double(rates.label) * rates.heard.ratio)
        (self.start, self.hidden, self.clockStandardError) = (start, hidden, clockStandardError)
        self.samples = samples
        self.beats = beats
        self.moments = moments
    }

    var descriptor: Int32 { samples.fileDescriptor }

    var heardCount: Int { clicks.heard.count }

    var progress: String { "\(clicks.heard.count) clicks heard of \(clicks.due.count)" }

    /// Processes what was rendered and recorded since the last call.
    mutating func hear(_ playback: StreamReport, _ capture: StreamReport) {
        while let beat = beats.pop() {
            guard beat.sounds else { continue }
            clicks.due.append(.seconds((Double(beat.floorFrame - start) + beat.fraction) / playedRate))
        }
        while let moment = moments.pop() { rendered.append(moment) }
        if rendered.count > 20_000 { rendered.removeFirst(10_000) }
        var block: [Float] = []
        swap(&block, &self.block)
        defer { swap(&block, &self.block) }
        // Bounded, so that a machine that is too slow for the analysis still takes signals and comes to the end.
        for _ in 0..<8 {
            var span = block.mutableSpan
            guard let got = samples.readAvailable(into: &span), got.count > 0 else { break }
            read += Int64(got.count)
            let now = MonotonicTime.now()
            for click in listener.process(block.span.extracting(first: got.count)) {
                let whole = Int64(click.position.rounded(.down))
                guard let arrived = capture.clock.time(ofFrame: whole), let frame = playback.clock.frame(at: arrived)
                else { continue }
                let part = click.position - Double(whole)
                let place = (Double(frame) + part) / playedRate - hidden.inSeconds
                clicks.heard.append((.seconds(click.position / heardRate), .seconds(place)))
                note(place: place, position: whole, at: now)
            }
        }
    }

    /// Notes how long ago the engine rendered the click that was just found.
    private mutating func note(place: Double, position: Int64, at now: MonotonicTime) {
        let frame = Int64(place * playedRate)
        guard let block = rendered.last(where: { $0.frame <= frame }) else { return }
        // The listener reports a click some milliseconds after its first sample.
        let since = Double(read - position) / heardRate
        roundTrips.count += 1
        roundTrips.sum += (now - block.time).inSeconds - since
    }

    /// The report; `nil` if fewer than three clicks were heard where they are due.
    ///
    /// - Parameter end: the frame after which no click is due.
    func report(
        _ source: String, _ playback: StreamReport, _ capture: StreamReport, until end: Int64
    ) -> TimingReport? {
        guard let findings = clicks.findings(until: .seconds(Double(end) / playedRate)) else { return nil }
        var live = TimingReport.LiveFindings()
        let (out, back) = (playback.statistics, capture.statistics)
        (live.playbackXruns, live.captureXruns) = (out.xruns, back.xruns)
        live.jumps = out.discontinuities + back.discontinuities
        live.lostFrames = out.lostFrames + back.lostFrames + back.droppedFrames
        live.roundTrip = roundTrips.count > 0 ? .seconds(roundTrips.sum / Double(roundTrips.count)) : .zero
        live.hidden = findings.delay + hidden
        return TimingReport(
            source: source, tempo: nil, length: findings.length, timing: findings.timing, lost: findings.lost,
            clockStandardError: clockStandardError, live: live)
    }
}
