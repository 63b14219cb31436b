import Intonation
import Music
import Testing

@Suite struct TuningVerdictTests {
    @Test func `A note is in tune from 2 cents and stays so up to 3`() {
        for (cents, fresh, held) in [
            (-3.1, TuningVerdict.flat, TuningVerdict.flat), (-3, .flat, .inTune), (-2, .inTune, .inTune),
            (0, .inTune, .inTune), (2, .inTune, .inTune), (2.1, .sharp, .inTune), (3.1, .sharp, .sharp),
        ] {
            #expect(TuningVerdict(cents.cents) == fresh)
            #expect(TuningVerdict(cents.cents, after: .sharp) == fresh)
            #expect(TuningVerdict(cents.cents, after: .inTune) == held)
        }
    }

    @Test func `The tolerance is what was asked for, and half as much again to leave`() {
        #expect(TuningVerdict(9.cents, tolerance: 10.cents) == .inTune)
        #expect(TuningVerdict(11.cents, tolerance: 10.cents) == .sharp)
        #expect(TuningVerdict((-14).cents, after: .inTune, tolerance: 10.cents) == .inTune)
        #expect(TuningVerdict((-16).cents, after: .inTune, tolerance: 10.cents) == .flat)
    }
}
