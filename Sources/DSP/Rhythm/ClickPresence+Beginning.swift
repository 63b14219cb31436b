// Which of the places at which a plan fits is its beginning.
extension ClickPresence {
    /// Where the plan may begin, in seconds from the first sample, and how alike click and recording are there.
    internal typealias Beginning = (offset: Double, likeness: Double)

    /// The likeness of the same clicks differs by less, with the same waveforms a sample beside.
    private static let equal = 0.01
    /// Places of one grid are nearer to each other.
    private static let near = 0.002

    /// Of the places at which the same clicks are as alike, the one whose first click is the first that is heard.
    ///
    /// In a steady plan many are: which of its first 16 strokes notes lie over is chance, and would choose.
    internal static func earliest(
        of places: [Beginning], like best: Beginning, _ samples: UnsafeBufferPointer<Float>, _ rate: Double,
        _ planned: [Planned]
    ) -> Beginning {
        func alike(_ stroke: Planned, at offset: Double) -> Double? {
            let place = Int(((stroke.time + offset) * rate).rounded())
            let slack = slack(rate)
            guard place >= slack, place + slack + stroke.filter.count < samples.count else { return nil }
            return (-slack...slack).map { abs(stroke.filter.likeness(samples, at: place + $0)) }.max()
        }
        func heard(at offset: Double, before end: Double = .infinity) -> [(time: Double, alike: Double)] {
            planned.lazy.filter { $0.time + offset < end }.compactMap { stroke in
                alike(stroke, at: offset).map { (stroke.time + offset, $0) }
            }
        }
        let compared = Array(heard(at: best.offset).prefix(most))
        guard let begin = compared.first?.time, let end = compared.last?.time else { return best }
        let equals = places.filter { place in
            let own = heard(at: place.offset, before: end + near).filter { $0.time > begin - near }
            let common = compared.filter { click in own.contains { abs($0.time - click.time) < near } }
            guard 2 * common.count >= compared.count, common.count >= 3 else { return false }
            let sum = common.reduce(0) { $0 + $1.alike }
            let others = own.filter { click in common.contains { abs($0.time - click.time) < near } }
            return others.reduce(0) { $0 + $1.alike } >= sum - equal * Double(common.count)
        }
        guard let lowest = equals.min(by: { $0.offset < $1.offset }) else { return best }
        // From where on it and the next three are heard.
        let clicks = heard(at: lowest.offset, before: end + near)
        let first = clicks.indices.first { index in
            let four = clicks[index...].prefix(4)
            return clicks[index].alike >= present
                && four.reduce(0) { $0 + $1.alike } >= present * Double(four.count)
        }
        let time = first.map { clicks[$0].time } ?? begin
        func distance(_ place: Beginning) -> Double { abs(place.offset + planned[0].time - time) }
        return equals.min { distance($0) < distance($1) } ?? best
    }
}
