import CWellTempered
import EmbeddingC

extension FuzzTarget {
    /// The functions for C, with any arguments in any order; only pointers are valid or null, as C demands.
    ///
    /// Each call takes a byte that chooses it and bytes for its arguments.
    static let embedding = FuzzTarget(name: "c-functions", longest: 512, comparesText: false) { bytes in
        var input = bytes.makeIterator()
        func byte() -> UInt8 { input.next() ?? 0 }
        func double() -> Double { Double(bitPattern: (0..<8).reduce(0) { word, _ in word << 8 | UInt64(byte()) }) }
        func integer() -> Int32 { Int32(truncatingIfNeeded: (0..<4).reduce(0) { word, _ in word << 8 | Int(byte()) }) }
        func text() -> [CChar]? {
            let count = Int(byte() % 24)
            return count == 23 ? nil : (0..<count).map { _ in CChar(bitPattern: byte()) } + [0]
        }
        /// A rate as it comes, or a usual one, with which more happens.
        func rate(_ own: Double) -> Double {
            byte() % 4 == 0 ? own : [8_000, 44_100, 48_000, 192_000][Int(byte() % 4)]
        }
        var tuner: wt_tuner_handle?
        var metronome: wt_metronome_handle?
        defer {
            wt_tuner_destroy(tuner)
            wt_metronome_destroy(metronome)
        }
        var samples = [Float](repeating: 0, count: 512)
        var (error, reading, beat) = (wt_error(), wt_reading(), wt_beat())
        for _ in 0..<32 {
            guard let choice = input.next() else { return }
            switch choice % 13 {
            case 0:
                wt_tuner_destroy(tuner)
                let rate = rate(double())
                tuner = choice & 16 == 0 ? wt_tuner_create(rate, nil) : wt_tuner_create(rate, &error)
            case 1:
                wt_metronome_destroy(metronome)
                let rate = Int32(truncatingIfNeeded: Int64(rate(Double(integer()))))
                let (tempo, accents) = (text(), text())
                metronome =
                    choice & 16 == 0
                    ? wt_metronome_create(rate, tempo, accents, nil) : wt_metronome_create(rate, tempo, accents, &error)
            case 2:
                for i in samples.indices { samples[i] = Float(bitPattern: UInt32(bitPattern: integer())) }
                wt_tuner_process(tuner, samples, UInt(samples.count))
            case 3:
                let slope = Float(byte()) / 256
                for i in samples.indices { samples[i] = Float(i % 109) * slope / 109 - slope / 2 }
                for _ in 0..<8 { wt_tuner_process(tuner, samples, UInt(samples.count)) }
            case 4: while wt_tuner_next(tuner, &reading) { precondition(reading.frequency.isFinite) }
            case 5: wt_metronome_render(metronome, &samples, UInt(byte()) + UInt(byte()))
            case 6: while wt_metronome_next_beat(metronome, &beat) { precondition(beat.bar >= 1) }
            case 7:
                var (midi, cents) = (Int32(0), 0.0)
                if wt_nearest_note(double(), double(), &midi, &cents) { precondition(abs(cents) <= 50.000_001) }
            case 8: wt_tuner_reset(tuner)
            case 9: precondition(wt_tuner_hop(tuner) >= 0 && wt_tuner_dropped(tuner) >= 0)
            case 10: precondition(wt_metronome_position(metronome) >= 0)
            case 11: wt_tuner_process(nil, nil, UInt.max)
            default: wt_metronome_render(metronome, nil, UInt.max)
            }
        }
    }
}
