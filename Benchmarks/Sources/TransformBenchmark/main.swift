// The two transforms behind RealFFT side by side: medians of one run, and how far apart their results lie.
//
//     swift run -c release --package-path Benchmarks TransformBenchmark
//
// Budget: the tuner transforms 4,096 samples per hop of 5.3 ms.
import WellTempered

/// The median of many timings of `repetitions` calls, in microseconds per call.
func median(repetitions: Int, _ body: () -> Void) -> Double {
    let clock = ContinuousClock()
    let times = (0..<101).map { _ in
        clock.measure { for _ in 0..<repetitions { body() } } / Duration.microseconds(1) / Double(repetitions)
    }
    return times.sorted()[50]
}

/// Root of the mean square of the difference, relative to that of `b`.
func relativeError(_ a: UnsafeMutableBufferPointer<SIMD2<Float>>, _ b: UnsafeMutableBufferPointer<SIMD2<Float>>)
    -> Double
{
    var (difference, power) = (0.0, 0.0)
    for k in a.indices {
        let d = SIMD2<Double>(a[k]) - SIMD2<Double>(b[k])
        difference += d.x * d.x + d.y * d.y
        power += Double(b[k].x) * Double(b[k].x) + Double(b[k].y) * Double(b[k].y)
    }
    return (difference / power).squareRoot()
}

func field(_ value: Double, _ digits: Int = 2) -> String {
    var scale = 1.0
    for _ in 0..<digits { scale *= 10 }
    let text = String((value * scale).rounded() / scale)
    return String(repeating: " ", count: max(0, 9 - text.count)) + text
}

print("    size  FFTW µs   own µs    ratio  back ratio   relative rms error")
var generator = SystemRandomNumberGenerator()
for size in [256, 480, 1_024, 2_048, 4_096, 4_800, 8_192, 16_384, 65_536] {
    var library = try RealFFT(size: size)
    var own = SplitFFT(size: size)
    for n in 0..<size {
        library.samples[n] = Float.random(in: -1...1, using: &generator)
        own.samples[n] = library.samples[n]
    }
    library.forward()
    own.forward()
    let error = relativeError(own.spectrum, library.spectrum)
    let repetitions = max(1, 200_000 / size)
    let libraryTime = median(repetitions: repetitions) { library.forward() }
    let ownTime = median(repetitions: repetitions) { own.forward() }
    // The way back destroys its input: silence, so that nothing grows beyond what a float holds.
    for n in 0..<size { (library.samples[n], own.samples[n]) = (0, 0) }
    library.forward()
    own.forward()
    let libraryBack = median(repetitions: repetitions) { library.inverse() }
    let ownBack = median(repetitions: repetitions) { own.inverse() }
    print(
        String(repeating: " ", count: 8 - String(size).count) + String(size), field(libraryTime), field(ownTime),
        field(ownTime / libraryTime), field(ownBack / libraryBack), "  ", error)
}
