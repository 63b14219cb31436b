import Foundation
import Music
import Realtime
import TestSignals
import Testing

@testable import Strum

/// Which strings are in the sound.
@Suite struct StrumPresenceTests {
    private static let guitar = GeneratedStrum.guitar

    /// Which strings are heard in the last window, and how far the sounding ones are off at most, in cents.
    private func heard(_ strum: GeneratedStrum) throws -> (strings: [Int], worst: Double) {
        var engine = try StrumEngine(
            strings: Self.guitar.map { $0.hertz }, sampleRate: GeneratedStrum.sampleRate.hertz)
        engine.process(strum.samples.span)
        while engine.refine() != nil {}
        let readings = Self.guitar.indices.map { engine.reading(of: $0) }
        let strings = readings.indices.filter { readings[$0].isHeard }
        let worst = strings.map { abs(readings[$0].deviation.value - strum.detunings[$0]) }.max() ?? .infinity
        return (strings, worst)
    }

    @Test(arguments: 0..<6) func `A muted string is not heard, and takes nothing from the others`(muted: Int) throws {
        for seed: UInt64 in 61..<67 {
            let strum = GeneratedStrum(seed: seed, range: 20, seconds: 1.4, muted: muted)
            let found = try heard(strum)
            #expect(found.strings == (0..<6).filter { $0 != muted }, "seed \(seed)")
            // As for a whole strum.
            #expect(found.worst < 0.1, "seed \(seed)")
        }
    }

    @Test func `What a partial adds is nothing where another one may move there, and all of it elsewhere`() {
        // One decaying line, E2's third partial, 3 cents from where the law has it.
        let (rate, count) = (6_000.0, 6_000)
        var samples = (0..<count).map { n in
            let time = Double(n) / rate
            return Float(exp(-2 * time) * cos(2 * .pi * 247.65 * time + 0.3))
        }
        let places = StringPlaces([Self.guitar], below: 1_417)
        var fit = StrumFit(
            stringCount: 6, partialCount: places.mostPartials, prior: StrumPrior(), capacity: count)
        fit.retune(places, 0)
        fit.halfLength = 0.5
        samples.withUnsafeMutableBufferPointer { fit.window.load($0) }
        fit.place()
        var neighbourhood = LineNeighbourhood()
        let size = LineNeighbourhood.capacity
        let (re, im) = (
            UnsafeMutablePointer<Double>.allocate(capacity: size), UnsafeMutablePointer<Double>.allocate(capacity: size)
        )
        defer {
            re.deallocate()
            im.deallocate()
        }
        let partial = fit.layout.partial(4, 0)
        let alone = fit.lines.plain.unsafeElements[partial].power / fit.lines.overlap(partial, partial).re
        let own = neighbourhood.ownGain(fit, of: partial, partner: -1, areMovable: true, re, im)
        // B3's line explains most of it, and 20 dB less beside E2's that may move.
        #expect(alone > 0.5 * 0.5 * fit.window.power && own < 0.01 * alone, "\(own / alone)")
        for other in 0..<6 where other != 4 { fit.isActive.unsafeElements[other] = false }
        fit.place()
        let only = neighbourhood.ownGain(fit, of: partial, partner: -1, areMovable: true, re, im)
        // But for the ridge of a thousandth.
        #expect(abs(only / alone - 1) < 2e-3)
    }
}
