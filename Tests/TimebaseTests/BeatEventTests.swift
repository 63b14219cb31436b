import Testing
import Timebase

@Suite struct BeatEventTests {
    @Test func `A stroke sounds unless it is silent, muted or the end of the plan`() {
        for level in AccentLevel.allCases {
            for (isMuted, isEnd) in [(false, false), (true, false), (false, true), (true, true)] {
                var event = BeatEvent.none
                (event.level, event.isMuted, event.isEnd) = (level, isMuted, isEnd)
                #expect(event.sounds == (level != .silent && !isMuted && !isEnd), "\(level) \(isMuted) \(isEnd)")
            }
        }
    }
}
