import Notation
import TerminalUI
import TestPlans
import Testing
import Timebase

@Suite struct BeatRowTests {
    /// Beat `beat` of a bar of these levels.
    private func event(_ levels: [AccentLevel], beat: Int32, isMuted: Bool = false) -> BeatEvent {
        var event = BeatEvent.none
        (event.bar, event.beat, event.beatsInBar, event.isMuted) = (12, beat, Int32(levels.count), isMuted)
        event.level = levels[Int(beat) - 1]
        event.barLevels = BarLevels(levels)
        return event
    }

    @Test func `The beat that is heard stands in brackets, each level has its mark`() {
        let seven: [AccentLevel] = [.accent, .normal, .normal, .medium, .normal, .silent, .normal]
        let plain = BeatRow(unicode: false)
        #expect(
            plain.text(event(seven, beat: 4), tempo: "97.3", columns: 80)
                == " O  .  . [o] .  -  .   bar 12  beat 4/7  97.3 BPM")
        #expect(
            BeatRow(unicode: true).text(event(seven, beat: 1), tempo: "97.3", columns: 80).hasPrefix("[●] ·  ·  ○ "))
        #expect(plain.text(event(seven, beat: 6, isMuted: true), tempo: "97.3", columns: 80).hasSuffix("muted"))
    }

    @Test func `A bar too long for the line is shown by its numbers`() {
        let long = [AccentLevel](repeating: .normal, count: 40)
        for columns in [10, 40, 80, 250] {
            for levels in [long, Array(long.prefix(20))] {
                let text = BeatRow(unicode: true).text(event(levels, beat: 3), tempo: "120", columns: columns)
                #expect(text.count < columns && text.contains("bar 12".prefix(columns - 1)))
            }
        }
    }
}
