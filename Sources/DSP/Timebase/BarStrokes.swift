/// The strokes within one bar, as a display draws them.
package struct BarStrokes: Sendable, Equatable {
    package struct Stroke: Sendable, Equatable {
        /// Where in the bar it lies, 0 to 1.
        package var place: Double
        /// The beat from 1, and which part of it from 0.
        package var beat: Int32, part: Int32
        package var level: AccentLevel
    }

    /// The beats and their parts; empty if no beat is divided.
    package var parts: [Stroke] = []
    /// The strokes of each further voice.
    package var voices: [[Stroke]] = []

    package init() {}

    /// The most strokes that a display has room for.
    static var most: Int { 512 }
}

extension PlanGrid {
    /// The strokes of the bar of a beat; none in a count-in.
    package func strokes(inBarOf beat: BeatEvent) -> BarStrokes {
        var result = BarStrokes()
        guard beat.bar >= 1, beat.section >= 0, let place = place(bar: beat.bar, beat: 1) else { return result }
        let segment = segments[place.segment]
        let first = strokes[segment.firstStroke + place.stroke]
        let length = Double(Int64(first.beatsInBar) * segment.ticksPerBeat)
        let layers = patterns[sources[place.segment].pattern].pattern.layerCount
        result.voices = Array(repeating: [], count: layers - 1)
        var count = 0
        for stroke in strokes[segment.firstStroke..<(segment.firstStroke + segment.strokeCount)]
        where stroke.bar == first.bar {
            count += 1
            guard count <= BarStrokes.most else { return BarStrokes() }
            let found = BarStrokes.Stroke(
                place: Double(stroke.tick - first.tick) / length, beat: stroke.beat + 1, part: stroke.part,
                level: stroke.level)
            if stroke.layer == 0 {
                result.parts.append(found)
            } else {
                result.voices[Int(stroke.layer) - 1].append(found)
            }
        }
        if result.parts.allSatisfy({ $0.part == 0 }) { result.parts = [] }
        return result
    }
}
