internal import ALSABackend
package import AudioIO
internal import Realtime
@_spi(Measurement) package import Rhythm

/// Plays clicks and records them through a loop-back or a microphone.
///
/// Blocks the calling thread for two seconds, and half a second for each click. Clicks within a second of an xrun or another
/// break are left out.
///
/// - Parameters:
///   - output: the device that plays. Lost devices are not reopened.
///   - input: the device that listens.
///   - clicks: how many to play.
///   - progress: receives the result so far after each click; returns false to end early.
///
/// Throws what opening throws, and `AudioError.lost`.
package func measureRoundTrip(
    from output: StreamRequest, to input: StreamRequest, clicks: Int, progress: (RoundTrip) -> Bool = { _ in true }
) throws(AudioError) -> RoundTrip {
    var (output, input) = (output, input)
    (output.whenLost, input.whenLost) = (.end, .end)
    let device = try PlaybackDevice(output)
    // One rate for both, so that the click that is played is the one that is looked for.
    input.sampleRate = device.format.sampleRate
    let rate = device.format.framesPerSecond
    var capture = try CaptureStream(input)
    guard var samples = capture.takeSamples() else { throw .outOfResources("reading end") }
    let asked = SPSCRing<MonotonicTime>(minimumCapacity: 64, filler: MonotonicTime(nanoseconds: 0))
    let train = ClickTrain(sampleRate: device.format.sampleRate)
    var askedTimes = asked.consumer
    var playback = try PlaybackStream(device, playing: ClickRenderer(train, asked: asked.producer))
    var result = RoundTrip()
    var clear = ClicksClearOfBreaks()
    let begin = MonotonicTime.now()
    var finder = train.finder
    var block = [Float](repeating: 0, count: 4_096)
    var times: [MonotonicTime] = []
    // When the samples up to an index were read: a click is found later than it is read.
    var readings: [(end: Int64, at: MonotonicTime)] = [(0, .now())]
    // Half a second after the last click.
    let end = train.frame(ofClick: clicks)
    while true {
        var span = block.mutableSpan
        let read = try samples.read(into: &span)
        let now = MonotonicTime.now()
        if read.isEnd { break }
        readings.append((readings[readings.count - 1].end + Int64(read.count), now))
        while let time = askedTimes.pop() { times.append(time) }
        let (played, heard, known) = (playback.report(), capture.report(), result.heard)
        let breaks =
            played.statistics.xruns + heard.statistics.xruns + played.statistics.discontinuities
            + heard.statistics.discontinuities
        if breaks > result.breaks { clear.noticeBreak(at: now - begin) }
        result.breaks = breaks
        for click in finder.process(block.span.extracting(first: read.count)) {
            guard let arrived = heard.clock.time(ofFrame: Int64(click.position)),
                let frame = played.clock.frame(at: arrived), let number = train.click(heardAt: frame),
                number < min(times.count, clicks),
                let sounded = played.clock.time(ofFrame: train.frame(ofClick: number)),
                let back = readings.first(where: { $0.end > Int64(click.position) })
            else { continue }
            let fraction = (click.position - click.position.rounded(.down)) / Double(rate)
            let returned = ClicksClearOfBreaks.Click(
                hidden: arrived - sounded + .seconds(fraction), whole: back.at - times[number], gain: abs(click.gain))
            clear.add(returned, at: now - begin)
        }
        let isOver = played.clock.frame(at: now) ?? 0 > end
        for click in clear.take(at: isOver ? nil : now - begin) {
            result.add(hidden: click.hidden, whole: click.whole, gain: click.gain)
        }
        result.dropped = clear.dropped
        if readings.count > 1_000 { readings.removeFirst(500) }
        result.played = min(clicks, times.count)
        if result.heard > known, !progress(result) { break }
        if isOver { break }
        if let failure = playback.failure { throw failure }
    }
    playback.stop()
    return result
}

/// Renders the clicks, and notes when each of them was asked for.
private struct ClickRenderer: FrameRenderer, ~Copyable, Sendable {
    private let train: ClickTrain
    private let click: SampleBuffer<Float>
    private var next: Int64 = 0
    private var asked: SPSCRing<MonotonicTime>.Producer

    init(_ train: ClickTrain, asked: consuming SPSCRing<MonotonicTime>.Producer) {
        self.train = train
        self.asked = asked
        click = SampleBuffer(copying: train.click)
    }

    mutating func render(into frames: inout MutableSpan<Float>) {
        for i in frames.indices {
            let sample = train.place(ofFrame: next)?.sample ?? click.count
            frames[i] = sample < click.count ? click[sample] : 0
            if sample == 0 { _ = asked.push(.now()) }
            next += 1
        }
    }

    /// Notes the clicks that are passed over, too, so that the times stay in step with the numbers of the clicks.
    mutating func skip(frames count: Int) {
        for _ in 0..<count {
            if train.place(ofFrame: next)?.sample == 0 { _ = asked.push(.now()) }
            next += 1
        }
    }
}
