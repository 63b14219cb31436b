internal import ALSABackend
package import AudioIO
internal import Music
internal import Realtime
@_spi(Measurement) internal import Rhythm

/// The latency from an output to an input, measured by clicks that are played and heard again.
package struct RoundTrip: Sendable, Hashable {
    /// Clicks that were played.
    package var played = 0
    /// Clicks that were heard.
    package private(set) var heard = 0
    /// The mean latency in seconds that the devices do not report, such as that of air and converters.
    package private(set) var hiddenSeconds = 0.0
    /// The standard deviation of single clicks about that, in seconds.
    package private(set) var deviationSeconds = 0.0
    /// The mean time in seconds from the program out and back in.
    package private(set) var roundTripSeconds = 0.0
    /// The mean amplitude of the clicks relative to what was played.
    package private(set) var gain = 0.0
    /// Xruns and other breaks of both streams, which make the figures unreliable.
    package var breaks = 0
    /// The sum of squared deviations from `hiddenSeconds`.
    private var squares = 0.0

    /// Adds a click: running means and a standard deviation (Welford).
    fileprivate mutating func add(hidden: Double, roundTrip: Double, gain: Double) {
        heard += 1
        let count = Double(heard)
        let before = hidden - hiddenSeconds
        hiddenSeconds += before / count
        squares += before * (hidden - hiddenSeconds)
        deviationSeconds = count > 1 ? (squares / (count - 1)).squareRoot() : 0
        roundTripSeconds += (roundTrip - roundTripSeconds) / count
        self.gain += (gain - self.gain) / count
    }
}

/// Plays clicks and records them through a loop-back or a microphone.
///
/// Blocks the calling thread for a second, and half a second for each click.
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
    let train = ClickTrain(rate: rate, asked: asked.producer)
    var askedTimes = asked.consumer
    var playback = try PlaybackStream(device, playing: train)
    var result = RoundTrip()
    var finder = ClickFinder(click: ClickFinder.sweep(sampleRate: capture.format.sampleRate), spacing: rate / 4)
    var block = [Float](repeating: 0, count: 4_096)
    var times: [MonotonicTime] = []
    // When the samples up to an index were read: a click is found later than it is read.
    var readings: [(end: Int64, at: MonotonicTime)] = [(0, .now())]
    // Half a second after the last click.
    let end = Int64(ClickTrain.firstSecond * Double(rate)) + Int64(clicks) * Int64(rate / 2)
    while true {
        var span = block.mutableSpan
        let read = try samples.read(into: &span)
        let now = MonotonicTime.now()
        if read.isEnd { break }
        readings.append((readings[readings.count - 1].end + Int64(read.count), now))
        while let time = askedTimes.pop() { times.append(time) }
        let (played, heard, known) = (playback.report(), capture.report(), result.heard)
        for click in finder.process(block.span.extracting(first: read.count)) {
            guard let arrived = heard.clock.time(ofFrame: Int64(click.position)),
                let frame = played.clock.frame(at: arrived)
            else { continue }
            // A click may be up to 0.4 s late, or 0.1 s early if a device reports too much latency.
            let number = Int((Double(frame) / Double(rate) - ClickTrain.firstSecond + 0.1) / 0.5)
            let due = Int64((ClickTrain.firstSecond + 0.5 * Double(number)) * Double(rate))
            guard number >= 0, number < times.count, number < clicks, let sounded = played.clock.time(ofFrame: due)
            else { continue }
            guard let back = readings.first(where: { $0.end > Int64(click.position) }) else { continue }
            let fraction = (click.position - click.position.rounded(.down)) / Double(rate)
            result.add(
                hidden: (arrived - sounded).inSeconds + fraction, roundTrip: (back.at - times[number]).inSeconds,
                gain: abs(click.gain))
        }
        if readings.count > 1_000 { readings.removeFirst(500) }
        let position = played.clock.frame(at: now) ?? 0
        result.played = min(clicks, times.count)
        result.breaks =
            played.statistics.xruns + heard.statistics.xruns + played.statistics.discontinuities
            + heard.statistics.discontinuities
        if result.heard > known, !progress(result) { break }
        if position > end { break }
        if let failure = playback.failure { throw failure }
    }
    playback.stop()
    return result
}

/// A renderer of one second of silence, then two clicks per second.
private struct ClickTrain: FrameRenderer, ~Copyable, Sendable {
    /// In seconds, for both streams to settle.
    static let firstSecond = 1.0
    private let click: SampleBuffer<Float>
    private let rate: Int64
    private var next: Int64 = 0
    private var asked: SPSCRing<MonotonicTime>.Producer

    init(rate: Int, asked: consuming SPSCRing<MonotonicTime>.Producer) {
        self.rate = Int64(rate)
        self.asked = asked
        let samples = ClickFinder.sweep(sampleRate: rate.hertz)
        var buffer = SampleBuffer<Float>(count: samples.count)
        for i in samples.indices { buffer[i] = samples[i] }
        click = buffer
    }

    mutating func render(into frames: inout MutableSpan<Float>) {
        for i in frames.indices {
            let phase = Int((next - rate) % (rate / 2))
            frames[i] = next >= rate && phase < click.count ? click[phase] : 0
            if next >= rate, phase == 0 { _ = asked.push(.now()) }
            next += 1
        }
    }

    mutating func skip(frames count: Int) { next += Int64(count) }
}
