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
}
