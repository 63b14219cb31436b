import Foundation

/// The pitch of a string that was recorded alone, over the part of the recording that a strum's window holds.
///
/// By two definitions, for the partials of real strings lie beside any law: a body pulls the first one by up to 5 cents.
/// Neither is measured as `StrumEngine` measures. Both weigh each moment by its power: a ukulele's C5 falls by 30 dB in half a
/// second, and the median of frames over its manifest's stretch is of what comes after it, 5 cents below.
struct RecordedPitch {
    /// The repetition rate of the waveform, in hertz: the lag near one period at which the stretch is most like itself.
    let period: Double
    /// The first partial, in hertz: the mean frequency of what a band around it holds.
    let first: Double

    /// - Parameters:
    ///   - near: hertz, within 50 cents of both.
    ///   - stretch: in samples.
    init(of samples: [Float], in stretch: Range<Int>, near frequency: Double, rate: Double) {
        let stretch = stretch.clamped(to: samples.indices)
        period = Self.period(samples, stretch, frequency, rate)
        first = Self.first(samples, stretch, frequency, rate)
    }

    /// The maximum of the autocorrelation over the powers of both stretches, by a parabola between samples.
    private static func period(_ x: [Float], _ stretch: Range<Int>, _ frequency: Double, _ rate: Double) -> Double {
        let widest = exp2(50.0 / 1_200)
        let lags = Int(rate / frequency / widest) - 1...Int(rate / frequency * widest) + 2
        let likeness = lags.map { lag in
            var (product, before, after) = (0.0, 0.0, 0.0)
            for n in stretch.lowerBound..<max(stretch.lowerBound, stretch.upperBound - lag) {
                let (a, b) = (Double(x[n]), Double(x[n + lag]))
                (product, before, after) = (product + a * b, before + a * a, after + b * b)
            }
            return product / max(1e-30, before * after).squareRoot()
        }
        let best = (1..<(likeness.count - 1)).max { likeness[$0] < likeness[$1] } ?? 1
        let (left, peak, right) = (likeness[best - 1], likeness[best], likeness[best + 1])
        let offset = 0.5 * (left - right) / (left - 2 * peak + right)
        return rate / (Double(lags.lowerBound + best) + offset)
    }

    /// From the phase by which the partial goes on in a period, summed over the stretch.
    private static func first(_ x: [Float], _ stretch: Range<Int>, _ frequency: Double, _ rate: Double) -> Double {
        let turn = 2 * Double.pi * frequency / rate
        var re = stretch.map { Double(x[$0]) * cos(turn * Double($0)) }
        var im = stretch.map { -Double(x[$0]) * sin(turn * Double($0)) }
        // The mean of a period has none of the other partials, which lie whole multiples of the frequency away.
        let length = Int((rate / frequency).rounded())
        for _ in 0..<3 { (re, im) = (means(of: length, in: re), means(of: length, in: im)) }
        var (real, imaginary) = (0.0, 0.0)
        for n in 0..<max(0, re.count - length) {
            real += re[n + length] * re[n] + im[n + length] * im[n]
            imaginary += im[n + length] * re[n] - re[n + length] * im[n]
        }
        return frequency + atan2(imaginary, real) / (2 * Double.pi * Double(length)) * rate
    }

    private static func means(of length: Int, in values: [Double]) -> [Double] {
        guard values.count > length else { return [] }
        var sum = values[..<length].reduce(0, +)
        var result = [sum]
        for n in length..<values.count {
            sum += values[n] - values[n - length]
            result.append(sum)
        }
        return result
    }
}
