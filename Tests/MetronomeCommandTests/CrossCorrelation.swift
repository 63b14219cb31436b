import AudioIO
import Foundation

/// Where clicks lie, by correlation with their mean, upsampled 16 times: not our code, but the definition.
struct CrossCorrelation {
    /// In microseconds and parts per million.
    let jitter: Double, drift: Double

    init(jitter: Double, drift: Double) { (self.jitter, self.drift) = (jitter, drift) }

    /// - Parameter period: how many clicks until the same sound comes again; each sound is compared with itself.
    init(file: String, interval: Double, period: Int) throws {
        var reader = try AudioFileReader(path: file)
        let rate = reader.sampleRate.value
        var block = [Float](repeating: 0, count: 1 << 22)
        var all: [Double] = []
        while true {
            var span = block.mutableSpan
            let read = try reader.read(into: &span)
            if read.isEnd { break }
            all += block.prefix(read.count).map(Double.init)
        }
        // The phase of the grid: the millisecond that holds most energy.
        let step = max(1, Int(rate / 1_000))
        var energy = [Double](repeating: 0, count: Int((interval * 1_000).rounded(.up)))
        for start in stride(from: 0, to: all.count - step, by: step) {
            let phase = (Double(start) / rate).truncatingRemainder(dividingBy: interval)
            energy[min(energy.count - 1, Int(phase * 1_000))] += all[start..<(start + step)].reduce(0) { $0 + $1 * $1 }
        }
        let sums = energy.indices.map { i in (0..<4).reduce(0) { $0 + energy[(i + $1) % energy.count] } }
        let phase = Double(sums.indices.max { sums[$0] < sums[$1] } ?? 0) / 1_000
        let (before, length) = (Int(0.006 * rate), Int(0.016 * rate))
        var points: [(due: Double, late: Double, kind: Int)] = []
        let count = Int(Double(all.count) / rate / interval) + 1
        let loud = (0..<count).map { k -> Double in
            let at = Int((phase + Double(k) * interval) * rate)
            guard at >= before, at + length + before < all.count else { return 0 }
            return all[at..<(at + length)].reduce(0) { $0 + $1 * $1 }
        }
        let typical = loud.sorted()[count / 2]
        for kind in 0..<period {
            let beats = stride(from: kind, to: count, by: period).filter { loud[$0] > 0.5 * typical }
            guard let first = beats.first else { continue }
            func start(_ k: Int) -> Int { Int((phase + Double(k) * interval) * rate) - before / 2 }
            var mean = Array(all[start(first)..<(start(first) + length)])
            var places: [Int: Double] = [:]
            for _ in 0..<3 {
                var sum = [Double](repeating: 0, count: length)
                for k in beats {
                    let reach = before / 2
                    let values = (-reach...reach).map { lag in
                        (0..<length).reduce(0.0) { $0 + mean[$1] * all[start(k) + lag + $1] }
                    }
                    let peak = values.indices.dropFirst().dropLast().max { values[$0] < values[$1] } ?? 1
                    // Between two lags by the sinc series of the correlation, on a grid of a hundredth.
                    var best = (shift: 0.0, value: -Double.infinity)
                    for hundredth in -60...60 {
                        let shift = Double(hundredth) / 100
                        var value = 0.0
                        for n in max(0, peak - 40)...min(values.count - 1, peak + 40) {
                            let x = .pi * (Double(n - peak) - shift)
                            value += values[n] * (abs(x) < 1e-9 ? 1 : sin(x) / x)
                        }
                        if value > best.value { best = (shift, value) }
                    }
                    let lag = peak - reach
                    places[k] = (Double(start(k) + lag) + best.shift) / rate
                    for n in 0..<length { sum[n] += all[start(k) + lag + n] / Double(beats.count) }
                }
                mean = sum
            }
            for (k, time) in places {
                points.append((Double(k) * interval, time - Double(k) * interval, kind))
            }
        }
        // One slope, and a place for each sound.
        var (xy, xx) = (0.0, 0.0)
        var centred: [(x: Double, y: Double)] = []
        for kind in 0..<period {
            let own = points.filter { $0.kind == kind }
            guard !own.isEmpty else { continue }
            let (x, y) = (own.map(\.due).reduce(0, +), own.map(\.late).reduce(0, +))
            centred += own.map { ($0.due - x / Double(own.count), $0.late - y / Double(own.count)) }
        }
        for point in centred { (xy, xx) = (xy + point.x * point.y, xx + point.x * point.x) }
        let slope = xy / xx
        let squares = centred.reduce(0) { $0 + ($1.y - slope * $1.x) * ($1.y - slope * $1.x) }
        jitter = (squares / Double(centred.count - period - 1)).squareRoot() * 1e6
        drift = slope * 1e6
    }
}
