import Foundation

/// The pitch that the phases of a note's partials tell from one hop to the next: the rawest reading that there is, and what
/// every linear estimate of a pitch is made of.
///
/// The sound is taken down to zero frequency by the true phase φ of the note, so that motion within a window costs nothing,
/// and weighed by a Hann window of whole periods, which keeps the partials apart:
///
///     A_k[n] = Σ x e^{-2πi r_k φ} sin²(π (φ_n - φ) / m),   advance_k[n] = arg A_k[n] A_k[n-1]* / (2π r_k)
///
/// The mean advance of each partial is taken off, as if its place were known, and the partials are weighed by the inverse
/// of their own variance, or by r_k² A_k² as in white noise, on average or from moment to moment.
struct RawPitch {
    /// Which partials count by how much.
    enum Weights: CaseIterable { case variance, power, moment }

    /// log2 of the hertz from the middle of the window before to that of each hop's.
    let octaves: [Weights: [Double]]

    /// As many partials as carry most of what is known of the frequency; the engine fits 40 to 72.
    private static let most = 40

    /// - Parameters:
    ///   - times: seconds of the ends of the hops.
    ///   - judged: the hops by which the partials are weighed.
    ///   - hertz: the pitch, about.
    ///   - inharmonicity: B of a stiff string.
    init(
        _ samples: [Float], rate: Double, times: [Double], judged: Range<Int>, truth: RealNoteTruth, hertz: Double,
        inharmonicity: Double
    ) {
        var phase = [0.0]
        phase.reserveCapacity(samples.count + 1)
        for n in samples.indices { phase.append(phase[n] + exp2(truth.octave(at: (Double(n) + 0.5) / rate)) / rate) }
        let hop = times.count > 1 ? times[1] - times[0] : 0
        // Two periods at least and two hops, so that successive windows overlap by half.
        let periods = max(2, (2 * hop * hertz).rounded(.up))
        let ends = times.map { min(samples.count, Int(($0 * rate).rounded())) }
        func start(_ end: Int) -> Int {
            var n = end
            while n > 0, phase[end] - phase[n] < periods { n -= 1 }
            return n
        }
        let starts = ends.map(start)
        let tapers = zip(starts, ends).map { start, end in
            (start..<end).map { n in
                let taper = sin(.pi * (phase[end] - (phase[n] + phase[n + 1]) / 2) / periods)
                return Double(samples[n]) * taper * taper
            }
        }
        let partials = max(1, min(Self.most, Int(0.45 * rate / hertz)))
        var (advances, powers, ratios): ([[Double]], [[Double]], [Double]) = ([], [], [])
        for k in 1...partials {
            let number = Double(k)
            let ratio = number * ((1 + inharmonicity * number * number) / (1 + inharmonicity)).squareRoot()
            guard ratio * hertz < 0.45 * rate else { break }
            let turns = samples.indices.map { n -> SIMD2<Double> in
                let turn = Double.pi * ratio * (phase[n] + phase[n + 1])
                return SIMD2(cos(turn), -sin(turn))
            }
            let amplitudes = zip(starts, tapers).map { start, tapered in
                tapered.indices.reduce(SIMD2<Double>.zero) { $0 + tapered[$1] * turns[start + $1] }
            }
            advances.append(
                zip(amplitudes.dropFirst(), amplitudes).map { now, before in
                    let turned = SIMD2(now.x * before.x + now.y * before.y, now.y * before.x - now.x * before.y)
                    return atan2(turned.y, turned.x) / (2 * .pi * ratio)
                })
            // Of both windows: either may be the one without a phase.
            powers.append(
                zip(amplitudes.dropFirst(), amplitudes).map { now, before in
                    ratio * ratio * ((now * now).sum() * (before * before).sum()).squareRoot()
                })
            ratios.append(ratio)
        }
        // Seconds of the windows' middles, where half of their periods have passed.
        let middles = ends.map { end -> Double in
            var n = end
            while n > 0, phase[end] - phase[n] < periods / 2 { n -= 1 }
            return Double(n) / rate
        }
        // Advances begin with the second hop.
        let before = (judged.lowerBound - 1)..<(judged.upperBound - 1)
        let means = advances.map { Self.mean($0[before]) }
        func octaves(_ weights: (_ partial: Int, _ hop: Int) -> Double) -> [Double] {
            times.indices.map { n in
                guard n > 0, middles[n] > middles[n - 1] else { return 0 }
                var (excess, sum) = (0.0, 0.0)
                for k in advances.indices {
                    let weight = weights(k, n - 1)
                    excess += weight * (advances[k][n - 1] - means[k])
                    sum += weight
                }
                let (from, to) = (Int(middles[n - 1] * rate + 0.5), Int(middles[n] * rate + 0.5))
                let turned = phase[to] - phase[from] + excess / max(sum, .leastNormalMagnitude)
                return log2(turned / (middles[n] - middles[n - 1]))
            }
        }
        let variances = advances.map { Self.variance($0[before]) }
        let averages = powers.map { Self.mean($0[before]) }
        self.octaves = [
            .variance: octaves { k, _ in 1 / variances[k] }, .power: octaves { k, _ in averages[k] },
            .moment: octaves { k, n in powers[k][n] },
        ]
    }

    private static func mean(_ values: ArraySlice<Double>) -> Double {
        values.reduce(0, +) / Double(max(1, values.count))
    }
    private static func variance(_ values: ArraySlice<Double>) -> Double {
        let mean = mean(values)
        return max(1e-18, values.reduce(0) { $0 + ($1 - mean) * ($1 - mean) } / Double(max(1, values.count)))
    }
}
