package import Timebase

/// The strokes of a plan as comma-separated values with a heading (RFC 4180).
package enum BeatTable {
    /// The heading: `sample` is the nearest frame, `level` the number of its `AccentLevel`, `part` 0 on the beat, `voice` 0
    /// for the beat and its parts, `muted` 1 for muted strokes, `fraction` the exact instant minus `sample`, in frames.
    package static var heading: String { "beat,bar,sample,level,part,voice,muted,fraction" }

    package static func line(_ event: BeatEvent) -> String {
        let fraction = Double(event.floorFrame - event.frame) + event.fraction
        // Six decimals, and a point in every locale.
        let millionths = Int64((fraction * 1e6).rounded())
        let digits = "\(abs(millionths))"
        let padded = String(repeating: "0", count: max(0, 6 - digits.count)) + digits
        return "\(event.beat),\(event.bar),\(event.frame),\(event.level.number),\(event.part),\(event.layer),"
            + "\(event.isMuted ? 1 : 0),\(millionths < 0 ? "-" : "")0.\(padded)"
    }
}
