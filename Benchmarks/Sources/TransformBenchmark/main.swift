// The two transforms behind RealFFT side by side: medians of one run, and how far apart their results lie; and what FFTW
// does when it may try its plans first (FFTW_MEASURE), which RealFFT does not ask for.
//
//     swift run -c release --package-path Benchmarks TransformBenchmark
//
// Budget: the tuner transforms 4,096 samples per hop of 5.3 ms.
import Foundation
@_spi(Measurement) import Spectral
import WellTempered

/// FFTW by itself, where its library is.
struct MeasuredFFTW {
    private typealias Plan =
        @convention(c) (Int32, UnsafeMutablePointer<Float>, UnsafeMutableRawPointer, UInt32) -> OpaquePointer?
    private typealias OnPlan = @convention(c) (OpaquePointer) -> Void
    private let plan: Plan
    private let execute: OnPlan
    private let destroy: OnPlan
    private let forget: @convention(c) () -> Void

    init?() {
        guard let handle = dlopen("libfftw3f.so.3", RTLD_NOW), let plan = dlsym(handle, "fftwf_plan_dft_r2c_1d"),
            let execute = dlsym(handle, "fftwf_execute"), let destroy = dlsym(handle, "fftwf_destroy_plan"),
            let forget = dlsym(handle, "fftwf_forget_wisdom")
        else { return nil }
        self.plan = unsafeBitCast(plan, to: Plan.self)
        self.execute = unsafeBitCast(execute, to: OnPlan.self)
        self.destroy = unsafeBitCast(destroy, to: OnPlan.self)
        self.forget = unsafeBitCast(forget, to: (@convention(c) () -> Void).self)
    }

    /// Microseconds of a forward transform, and milliseconds that its planning took.
    func times(size: Int, repetitions: Int) -> (transform: Double, planning: Double)? {
        let samples = UnsafeMutableRawPointer.allocate(byteCount: 4 * size, alignment: 64)
        let spectrum = UnsafeMutableRawPointer.allocate(byteCount: 8 * (size / 2 + 1), alignment: 64)
        let floats = samples.bindMemory(to: Float.self, capacity: size)
        defer {
            samples.deallocate()
            spectrum.deallocate()
            // Or the next plans that are not to be measured would be made of these.
            forget()
        }
        var made: OpaquePointer?
        // FFTW_MEASURE is 0.
        let planning = ContinuousClock().measure { made = plan(Int32(size), floats, spectrum, 0) }
        guard let made else { return nil }
        defer { destroy(made) }
        // Planning has written over them.
        for n in 0..<size { floats[n] = Float.random(in: -1...1) }
        return (median(repetitions: repetitions) { execute(made) }, planning / Duration.milliseconds(1))
    }
}

/// The median of many timings of `repetitions` calls, in microseconds per call.
func median(repetitions: Int, _ body: () -> Void) -> Double {
    let clock = ContinuousClock()
    let times = (0..<101).map { _ in
        clock.measure { for _ in 0..<repetitions { body() } } / Duration.microseconds(1) / Double(repetitions)
    }
    return times.sorted()[50]
}

/// Root of the mean square of the difference, relative to that of `b`.
func relativeError(_ a: [SIMD2<Float>], _ b: [SIMD2<Float>]) -> Double {
    var (difference, power) = (0.0, 0.0)
    for k in a.indices {
        let d = SIMD2<Double>(a[k]) - SIMD2<Double>(b[k])
        difference += d.x * d.x + d.y * d.y
        power += Double(b[k].x) * Double(b[k].x) + Double(b[k].y) * Double(b[k].y)
    }
    return (difference / power).squareRoot()
}

func spectrum(of samples: [Float], by fft: inout RealFFT) -> [SIMD2<Float>] {
    var bins = [SIMD2<Float>](repeating: .zero, count: fft.binCount)
    var span = bins.mutableSpan
    fft.forward(samples.span, into: &span)
    return bins
}

func field(_ value: Double, _ digits: Int = 2) -> String {
    var scale = 1.0
    for _ in 0..<digits { scale *= 10 }
    let text = String((value * scale).rounded() / scale)
    return String(repeating: " ", count: max(0, 9 - text.count)) + text
}

let measured = MeasuredFFTW()
print("    size  FFTW µs   own µs    ratio  back ratio  rms error  MEASURE µs  own / it  planning ms")
var generator = SystemRandomNumberGenerator()
for size in [256, 480, 1_024, 2_048, 4_096, 4_800, 8_192, 16_384, 65_536] {
    var library = try RealFFT(size: size)
    var own = try RealFFT(withoutLibrary: size)
    let noise = (0..<size).map { _ in Float.random(in: -1...1, using: &generator) }
    let error = relativeError(spectrum(of: noise, by: &own), spectrum(of: noise, by: &library))
    let repetitions = max(1, 200_000 / size)
    let libraryTime = median(repetitions: repetitions) { library.forwardAgain() }
    let ownTime = median(repetitions: repetitions) { own.forwardAgain() }
    // The way back destroys its input: silence, so that nothing grows beyond what a float holds.
    let silence = [Float](repeating: 0, count: size)
    _ = (spectrum(of: silence, by: &library), spectrum(of: silence, by: &own))
    let libraryBack = median(repetitions: repetitions) { library.inverseAgain() }
    let ownBack = median(repetitions: repetitions) { own.inverseAgain() }
    let best = measured?.times(size: size, repetitions: repetitions)
    print(
        String(repeating: " ", count: 8 - String(size).count) + String(size), field(libraryTime), field(ownTime),
        field(ownTime / libraryTime), field(ownBack / libraryBack), String(format: "   %.2e", error),
        best.map { "  " + field($0.transform) + " " + field(ownTime / $0.transform) + "  " + field($0.planning, 1) }
            ?? "")
}
