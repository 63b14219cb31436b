internal import CRealtime
internal import Realtime
internal import Spectral

/// What is known of the sound of each click at the microphone, through loudspeaker and room.
///
/// For each sound: its echo as samples, and in each cell of time and frequency the variance of its error, its power, and how
/// coherent the last residuals were.
internal struct ClickEchoes: ~Copyable, Sendable {
    /// The scalars of a sound.
    internal struct Sound: BitwiseCopyable, Sendable {
        /// How many times it was heard.
        var count = 0
        /// When it was heard last, as predicted.
        var last: Int64 = 0
        /// The power of its loudest cell when it was first heard.
        var peak: Float = 0
        /// Whether nothing was heard where it came last, as of a muted microphone: it is not subtracted until it is back.
        var isSilent = false
    }

    /// A room decays by 60 dB in 0.6 s, a loudspeaker within 20 ms.
    private static let (reverberation, direct) = (0.6, 0.02)
    /// A loudspeaker's distortion: 2 % of the cube of the click.
    private static let distortion: Float = 0.02
    /// The share of its power that an echo changes by in a second.
    private static var growth: Float { @_noLocks get { 0.03 } }
    /// What noise alone reaches of the largest possible coherence.
    private static var chance: Float { @_noLocks get { 0.3 } }

    let sizes: EchoSizes
    let sounds: SampleBuffer<Sound>
    private let echo: SampleBuffer<Float>, spectra: SampleBuffer<Float>, decay: SampleBuffer<Float>
    private let variances: SampleBuffer<Float>, powers: SampleBuffer<Float>
    private let residuals: SampleBuffer<SIMD2<Float>>
    private let crossPowers: SampleBuffer<Float>, products: SampleBuffer<Float>

    /// - Parameter waves: the click of each sound.
    init(sizes: EchoSizes, waves: [[Float]]) throws(OnsetError) {
        var spectra: [Float] = []
        for wave in waves { spectra += try Self.spectrum(of: wave, sizes: sizes) }
        self.sizes = sizes
        let cells = waves.count * sizes.cells
        sounds = SampleBuffer(count: waves.count, repeating: Sound())
        echo = SampleBuffer(count: waves.count * sizes.length)
        self.spectra = SampleBuffer(copying: spectra)
        decay = SampleBuffer(
            copying: (0..<sizes.frames).map { frame in
                let seconds = max(0, Double(frame * sizes.hop) / sizes.sampleRate - Self.direct)
                return Float(rt_pow(10, -6 * seconds / Self.reverberation))
            })
        variances = SampleBuffer(count: cells)
        powers = SampleBuffer(count: cells)
        residuals = SampleBuffer(count: cells, repeating: .zero)
        crossPowers = SampleBuffer(count: cells)
        products = SampleBuffer(count: cells)
    }

    // MARK: A sound's own part of the memory

    @_noLocks func echo(_ sound: Int) -> UnsafeMutablePointer<Float> { part(echo, sound, sizes.length) }
    @_noLocks func variance(_ sound: Int) -> UnsafeMutablePointer<Float> { part(variances, sound, sizes.cells) }
    @_noLocks func power(_ sound: Int) -> UnsafeMutablePointer<Float> { part(powers, sound, sizes.cells) }
    @_noLocks func crossPower(_ sound: Int) -> UnsafeMutablePointer<Float> { part(crossPowers, sound, sizes.cells) }
    @_noLocks func product(_ sound: Int) -> UnsafeMutablePointer<Float> { part(products, sound, sizes.cells) }
    @_noLocks func residual(_ sound: Int) -> UnsafeMutablePointer<SIMD2<Float>> {
        precondition(sound >= 0 && (sound + 1) * sizes.cells <= residuals.count, "no such sound")
        return residuals.start + sound * sizes.cells
    }

    @_noLocks private func part(
        _ buffer: borrowing SampleBuffer<Float>, _ sound: Int, _ length: Int
    ) -> UnsafeMutablePointer<Float> {
        precondition(sound >= 0 && (sound + 1) * length <= buffer.count, "no such sound")
        return buffer.start + sound * length
    }

    /// What the prior power of each frequency is: 1 where the click is loudest.
    @_noLocks func spectrum(_ sound: Int) -> UnsafeMutablePointer<Float> { part(spectra, sound, sizes.bins) }

    /// The largest power that a cell may have before the sound was heard, over that of its frequency in `spectrum`.
    @_noLocks func prior(frame: Int, peak: Float) -> Float { peak * decay.unsafeElements[frame] }

    /// The share of an echo's samples that is subtracted: over its last 64 ms ever less. A room's tail that came back at once
    /// would sound like a note.
    @_noLocks func taper(_ sample: Int) -> Float {
        let left = Float(sizes.length - sample) / Float(6 * sizes.hop)
        return left >= 1 ? 1 : max(0, left * left * (3 - 2 * left))
    }

    /// By how much the variance of a cell has grown since the sound was heard, as a share of its power.
    @_noLocks func growth(_ sound: Int, at frame: Int64) -> Float {
        let seconds = Double(frame - sounds.unsafeElements[sound].last) / sizes.sampleRate
        return Self.growth * Float(max(0, seconds))
    }

    /// The power that the last residuals had in common: the echo has changed, since no player is coherent with it.
    @_noLocks static func coherent(_ crossPower: Float, _ product: Float) -> Float {
        max(0, crossPower - chance * product)
    }

    /// Takes over what was learnt from a click.
    @_noLocks mutating func keep(_ new: borrowing EchoScratch, of click: ExpectedClick) {
        let bytes = MemoryLayout<Float>.stride
        rt_copy(echo(click.sound), new.echo, sizes.length * bytes)
        rt_copy(variance(click.sound), new.variance, sizes.cells * bytes)
        rt_copy(power(click.sound), new.power, sizes.cells * bytes)
        sounds.unsafeElements[click.sound].count += 1
        sounds.unsafeElements[click.sound].last = click.frame
    }

    /// Keeps the echoes, and forgets when they were heard and what they left.
    @_noLocks mutating func rewind() {
        for n in 0..<sounds.count {
            sounds.unsafeElements[n].last = 0
            sounds.unsafeElements[n].isSilent = false
        }
        for n in 0..<variances.count {
            residuals.unsafeElements[n] = .zero
            crossPowers.unsafeElements[n] = 0
            products.unsafeElements[n] = 0
        }
    }

    @_noLocks mutating func reset() {
        for n in 0..<sounds.count { sounds.unsafeElements[n] = Sound() }
        for n in 0..<echo.count { echo.unsafeElements[n] = 0 }
        for n in 0..<variances.count {
            variances.unsafeElements[n] = 0
            powers.unsafeElements[n] = 0
            residuals.unsafeElements[n] = .zero
            crossPowers.unsafeElements[n] = 0
            products.unsafeElements[n] = 0
        }
    }

    /// The spectrum of a click with its distortion, the loudest frequency 1 of each, smoothed over some 150 Hz.
    private static func spectrum(of wave: [Float], sizes: EchoSizes) throws(OnsetError) -> [Float] {
        let peak = wave.reduce(0) { max($0, abs($1)) }
        var sum = [Float](repeating: 0, count: sizes.bins)
        guard peak > 0 else { return sum }
        let size = 4 * sizes.window
        var fft = try transform(size: size)
        for (exponent, weight) in [(1, Float(1)), (3, distortion)] {
            let samples = (0..<size).map { n -> Float in
                let x = n < wave.count ? wave[n] / peak : 0
                return exponent == 1 ? x : x * x * x
            }
            var bins = [SIMD2<Float>](repeating: .zero, count: size / 2 + 1)
            var spectrum = bins.mutableSpan
            fft.forward(samples.span, into: &spectrum)
            let power = bins.map { $0.x * $0.x + $0.y * $0.y }
            // 13 of four times as many frequencies.
            let smoothed = power.indices.map { k in
                power[max(0, k - 6)...min(power.count - 1, k + 6)].reduce(0, +)
            }
            let largest = smoothed.max() ?? 0
            for k in 0..<sizes.bins where largest > 0 { sum[k] += weight * smoothed[4 * k] / largest }
        }
        return sum
    }
}
