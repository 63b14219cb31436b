/// One stroke of a repeating pattern.
internal struct Stroke: Sendable, Hashable, BitwiseCopyable {
    /// Ticks from the start of the cycle.
    internal var tick: Int64
    /// The index of the distance to the next stroke.
    internal var step: Int32
    /// The bar within the cycle, from 0.
    internal var bar: Int32
    /// The beat within the bar, from 0, and how many the bar has.
    internal var beat: Int32, beatsInBar: Int32
    /// 0: the beat itself; otherwise which part of it; and how many parts the beat has.
    internal var part: Int32, partsInBeat: Int32 = 1
    /// 0: the beat and its parts; otherwise a further voice.
    internal var layer: Int32
    internal var level: AccentLevel

    /// The order of strokes that coincide: the beat, its parts, the other voices.
    fileprivate var order: (Int64, Int32, Int32) { (tick, layer, part) }
}

/// The strokes of the bars that repeat, on a grid of ticks that represents each of them exactly.
internal struct BarPattern: Sendable {
    internal var strokes: [Stroke] = []
    internal var ticksPerBeat: Int64 = 1, cycleTicks: Int64 = 0
    internal var barCount = 0
    /// The first tick of each bar of the cycle, and the end of the last.
    internal var barTicks: [Int64] = [0]
    /// The distances between neighbouring strokes, each once.
    internal var steps: [Int64] = []
    internal var layerCount = 1
    /// The levels that are struck, on beats and other voices and on parts of a beat.
    internal var beats: Set<AccentLevel> = [], parts: Set<AccentLevel> = []

    /// What a pattern is made from; equal keys share one pattern.
    internal struct Key: Hashable {
        var levels: [[AccentLevel]]
        var parts: [AccentLevel]
        var swing: Swing
        var cross: CrossRhythm?
    }

    /// 2²⁰ strokes, of one pattern and of all together: more than any practice needs, 150 MB while they are laid out.
    static let mostStrokes = 1 << 20

    /// 2³² ticks per beat: a 64-bit count of them lasts for years.
    private static let finestGrid = 1 << 32

    internal init(_ key: Key) throws(PlanError) {
        let offsets = Self.partOffsets(key.parts.count, key.swing)
        let (bars, voices) = try Self.cycle(key)
        // The grid: a common denominator of all offsets within a beat and of all voices within a bar.
        var grid = offsets.reduce(1) { leastCommonMultiple($0, Int($1.denominator)) }
        if case .polyrhythm = key.cross { for count in voices { grid = leastCommonMultiple(grid, count) } }
        guard grid <= Self.finestGrid else { throw .tooFine }
        ticksPerBeat = Int64(grid)
        layerCount = 1 + voices.count
        barCount = bars.count
        for (bar, levels) in bars.enumerated() {
            let start = barTicks[bar]
            for (beat, level) in levels.enumerated() {
                for (part, offset) in offsets.enumerated() {
                    let partLevel =
                        part > 0
                        ? (level == .silent ? .silent : key.parts[part])
                        : key.parts[0] == .silent ? .silent : level
                    let tick =
                        start + Int64(beat) * ticksPerBeat + offset.numerator * (ticksPerBeat / offset.denominator)
                    add(tick, bar: bar, beat: beat, of: levels.count, part: part, layer: 0, level: partLevel)
                    strokes[strokes.count - 1].partsInBeat = Int32(offsets.count)
                }
            }
            if case .polyrhythm = key.cross {
                for (voice, count) in voices.enumerated() {
                    for index in 0..<count {
                        let tick = start + Int64(index * levels.count) * (ticksPerBeat / Int64(count))
                        add(
                            tick, bar: bar, beat: index * levels.count / count, of: levels.count, part: 0,
                            layer: voice + 1, level: index == 0 ? .accent : .normal)
                    }
                }
            }
            barTicks.append(start + Int64(levels.count) * ticksPerBeat)
            guard strokes.count <= Self.mostStrokes else { throw .tooLong }
        }
        cycleTicks = barTicks[bars.count]
        if case .polymeter = key.cross { addMeters(voices, beatsInBar: bars[0].count) }
        guard strokes.count <= Self.mostStrokes else { throw .tooLong }
        link()
    }

    private mutating func add(
        _ tick: Int64, bar: Int, beat: Int, of beats: Int, part: Int, layer: Int, level: AccentLevel
    ) {
        if level != .silent, part == 0 { self.beats.insert(level) } else if level != .silent { parts.insert(level) }
        strokes.append(
            Stroke(
                tick: tick, step: 0, bar: Int32(bar), beat: Int32(beat), beatsInBar: Int32(beats), part: Int32(part),
                layer: Int32(layer), level: level))
    }

    private mutating func addMeters(_ voices: [Int], beatsInBar: Int) {
        let beats = Int(cycleTicks / ticksPerBeat)
        for (voice, count) in voices.enumerated() {
            for beat in stride(from: 0, to: beats, by: count) {
                add(
                    Int64(beat) * ticksPerBeat, bar: beat / beatsInBar, beat: beat % beatsInBar, of: beatsInBar,
                    part: 0, layer: voice + 1, level: .accent)
            }
        }
    }

    /// Sorts the strokes and numbers the distances.
    private mutating func link() {
        strokes.sort { $0.order < $1.order }
        var numbers: [Int64: Int32] = [:]
        for index in strokes.indices {
            let next = index + 1 < strokes.count ? strokes[index + 1].tick : cycleTicks
            let distance = next - strokes[index].tick
            let number = numbers[distance] ?? Int32(steps.count)
            if numbers[distance] == nil {
                numbers[distance] = number
                steps.append(distance)
            }
            strokes[index].step = number
        }
    }

    /// The place of each of `count` parts within its beat.
    private static func partOffsets(_ count: Int, _ swing: Swing) -> [Ratio] {
        (0..<count).compactMap { part in
            // Even parts start a pair; odd parts follow after the share of the first.
            let even = Ratio(Int64(part / 2 * 2), Int64(count))
            guard part.isMultiple(of: 2) == false, swing != .straight else { return Ratio(Int64(part), Int64(count)) }
            return Ratio(2, Int64(count))?.multiplied(by: swing.share).flatMap { even?.adding($0) }
        }
    }

    /// The bars until all voices coincide again, and the strokes of each further voice.
    private static func cycle(_ key: Key) throws(PlanError) -> (bars: [[AccentLevel]], voices: [Int]) {
        guard let first = key.levels.first?.count, first > 0 else { throw .nothingToPlay }
        guard let cross = key.cross else { return (key.levels, []) }
        var voices = cross.counts
        if let own = voices.firstIndex(of: first) { voices.remove(at: own) }
        guard voices.count <= CrossRhythm.mostVoices else { throw .tooManyVoices }
        guard case .polymeter = cross else { return (key.levels, voices) }
        guard key.levels.allSatisfy({ $0.count == first }) else { throw .metersDiffer }
        let beats = voices.reduce(first * key.levels.count) { leastCommonMultiple($0, $1) }
        guard beats <= mostStrokes else { throw .tooLong }
        return ((0..<(beats / first)).map { key.levels[$0 % key.levels.count] }, voices)
    }
}
