internal import Music
internal import Rhythm
internal import TerminalUI

/// How well recorded clicks kept time, as text and as JSON.
struct TimingReport {
    /// The recording or the devices.
    let source: String
    /// The nominal tempo in beats per minute, if there is one.
    let tempo: Double?
    /// From the first click to the last.
    let length: Duration
    let timing: ClickTiming
    /// Clicks due and not heard.
    let lost: Int
    /// The standard error of the clocks.
    var clockStandardError = 0.0.ppm
    /// The standard error of the place of one click, as far as noise and unlike waveforms allow; `nil` if not known.
    var placement: Duration?
    /// What live streams reported.
    var live: LiveFindings?

    /// What a playback and a capture stream reported.
    struct LiveFindings {
        var playbackXruns = 0
        var captureXruns = 0
        /// Discontinuities in either stream that no xrun explains.
        var jumps = 0
        /// Frames that were not played or not recorded.
        var lostFrames: Int64 = 0
        /// The round trip through both devices.
        var roundTrip = Duration.zero
        /// The part of it that the devices do not report: air, converters.
        var hidden = Duration.zero

        var isWhole: Bool { playbackXruns + captureXruns + jumps == 0 && lostFrames == 0 }
    }

    private var driftStandardError: Double { timing.driftStandardError(withClocks: clockStandardError).value }

    /// Text for people.
    var text: String {
        let drift = timing.drift.value
        // Within two standard errors it has no direction.
        let hasDirection = abs(drift) >= max(0.005, 2 * driftStandardError)
        let way = !hasDirection ? "" : drift > 0 ? " (later and later)" : " (earlier and earlier)"
        var heard = ""
        if let tempo { heard = ": \(fixedPoint(tempo / (1 + drift * 1e-6), decimals: 4)) BPM" }
        var rows = [
            "\(source): \(timing.clicks) clicks in \(fixedPoint(length.inSeconds, decimals: 1)) s, \(lost) lost, "
                + "\(timing.extra) extra",
            "drift   \(fixedPoint(drift, decimals: 2, signed: true)) ppm ± "
                + "\(fixedPoint(driftStandardError, decimals: 2))\(way)\(heard)",
            "jitter  \(fixedPoint(timing.jitter.inSeconds * 1e6, decimals: 1)) µs (standard deviation), worst "
                + "\(fixedPoint(timing.worst.inSeconds * 1e6, decimals: 1)) µs",
        ]
        if let placement {
            // Rounded up: an uncertainty of zero would be none.
            rows[2] += "; a click is placed to ± \(fixedPoint(max(0.1, placement.inSeconds * 1e6), decimals: 1)) µs"
        }
        if timing.kinds > 1 {
            rows.append(
                "sounds  \(timing.kinds), each compared with itself: the time between them is not in the jitter")
        }
        if timing.uncompared > 0 {
            rows.append(
                "unlike  \(timing.uncompared) clicks sound like no other, or may lie at several places; drift and jitter "
                    + "leave them out")
        }
        if let live {
            rows += [
                "streams \(live.playbackXruns) xruns playing, \(live.captureXruns) listening, \(live.jumps) jumps, "
                    + "\(live.lostFrames) frames lost",
                "latency \(fixedPoint(live.roundTrip.inSeconds * 1_000, decimals: 2)) ms round trip, "
                    + "\(fixedPoint(live.hidden.inSeconds * 1_000, decimals: 3)) ms of it not reported by the devices",
            ]
            if !live.isWhole { rows.append("a stream was interrupted, which these figures include") }
        }
        return rows.joined(separator: "\n") + "\n"
    }

    /// A JSON object for scripts.
    var json: String {
        JSON.object([
            ("capture_xruns", live.map { "\($0.captureXruns)" }), ("clicks", "\(timing.clicks)"),
            ("drift_ppm", JSON.exact(timing.drift.value)), ("drift_standard_error_ppm", JSON.exact(driftStandardError)),
            ("extra", "\(timing.extra)"), ("hidden_ms", JSON.exact(live.map { $0.hidden.inSeconds * 1_000 })),
            ("jitter_us", JSON.exact(timing.jitter.inSeconds * 1e6)), ("jumps", live.map { "\($0.jumps)" }),
            ("lost", "\(lost)"), ("lost_frames", live.map { "\($0.lostFrames)" }),
            ("placement_us", JSON.exact(placement.map { $0.inSeconds * 1e6 })),
            ("playback_xruns", live.map { "\($0.playbackXruns)" }),
            ("round_trip_ms", JSON.exact(live.map { $0.roundTrip.inSeconds * 1_000 })),
            ("seconds", JSON.exact(length.inSeconds)), ("sounds", live == nil ? "\(timing.kinds)" : nil),
            ("source", JSON.quoted(source)), ("uncompared", live == nil ? "\(timing.uncompared)" : nil),
            ("worst_us", JSON.exact(timing.worst.inSeconds * 1e6)),
        ]) + "\n"
    }
}
