internal import Music

/// The level of the last three seconds in blocks of 50 ms: 2.5 periods of 50 Hz, so that the level of hum stands still.
struct LevelHistory: Sendable {
    private static let blockSeconds = 0.05
    private static let length = 60

    /// Mean power of each block, and how many of its readings were clear without being a note; the newest last.
    private(set) var blocks: [(power: Double, tonalShare: Double)] = []
    private var current = (power: 0.0, tonal: 0, count: 0)
    private var blockEnd = -Double.infinity

    /// Adds the power of a reading; returns whether that completed a block.
    ///
    /// - Parameter isTonal: whether the reading is periodic, but no note.
    mutating func add(_ power: Double, isTonal: Bool, at seconds: Double) -> Bool {
        if seconds < blockEnd - 2 * Self.blockSeconds { self = LevelHistory() }
        if blockEnd == -.infinity { blockEnd = seconds + Self.blockSeconds }
        current = (current.power + power, current.tonal + (isTonal ? 1 : 0), current.count + 1)
        guard seconds >= blockEnd else { return false }
        let count = Double(current.count)
        blocks.append((current.power / count, Double(current.tonal) / count))
        if blocks.count > Self.length { blocks.removeFirst() }
        current = (0, 0, 0)
        blockEnd = seconds + Self.blockSeconds
        return true
    }

    var newest: Double { blocks.last?.power ?? 0 }

    /// The lowest and the highest power of the last blocks.
    func range(ofLast count: Int) -> (lowest: Double, highest: Double) {
        let powers = blocks.suffix(count).lazy.map(\.power)
        return (powers.min() ?? 0, powers.max() ?? 0)
    }

    /// The share of readings in the last blocks that were clear without being a note; 0 if fewer blocks are known.
    func tonalShare(ofLast count: Int) -> Double {
        guard blocks.count >= count else { return 0 }
        return blocks.suffix(count).reduce(0) { $0 + $1.tonalShare } / Double(count)
    }

    /// Whether the level stood still: means of a quarter second each within 1 dB; false if fewer blocks are known.
    func isSteady(overLast count: Int) -> Bool {
        guard blocks.count >= count else { return false }
        let powers = blocks.suffix(count).map(\.power)
        let means = stride(from: 0, through: count - 5, by: 5).map { start in
            powers[start..<start + 5].reduce(0, +) / 5
        }
        guard let lowest = means.min(), let highest = means.max(), lowest > 0 else { return false }
        return highest / lowest < 1.26
    }
}
