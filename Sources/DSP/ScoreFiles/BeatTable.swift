package import Timebase

/// The strokes of a plan as a table of text: comma-separated values with a heading (RFC 4180).
package enum BeatTable {
    /// The heading. `sample` is the frame, `level` 0 (silent) to 3 (accent); `part` is 0 on the beat, `voice` is 0 for the
    /// beat and its parts, `muted` 1 where a gap or chance leaves the stroke out, `fraction` how far after `sample` the
    /// exact instant lies, in frames.
    package static var heading: String { "beat,bar,sample,level,part,voice,muted,fraction" }

    /// The line of one stroke.
    package static func line(_ event: BeatEvent) -> String {
        let fraction = Double(event.floorFrame - event.frame) + event.fraction
        // Six places, a millionth of a frame, with a point whatever the locale.
        let millionths = Int64((fraction * 1e6).rounded())
        let digits = "\(abs(millionths))"
        let padded = String(repeating: "0", count: max(0, 6 - digits.count)) + digits
        return "\(event.beat),\(event.bar),\(event.frame),\(event.level.number),\(event.part),\(event.layer),"
            + "\(event.isMuted ? 1 : 0),\(millionths < 0 ? "-" : "")0.\(padded)"
    }
}
