import Music
import Rhythm
import Testing

@Suite struct ClicksClearOfBreaksTests {
    private func click(_ number: Int) -> ClicksClearOfBreaks.Click {
        ClicksClearOfBreaks.Click(hidden: .milliseconds(number), whole: .milliseconds(100), gain: 1)
    }

    /// Sixteen clicks, two a second from 1 s on, with breaks at some times; returns those that are left.
    private func left(breaks: [Double]) -> (numbers: [Int], dropped: Int) {
        var clear = ClicksClearOfBreaks()
        var taken: [ClicksClearOfBreaks.Click] = []
        var rest = breaks[...]
        for step in 0..<2_000 {
            let now = Double(step) / 200
            if let next = rest.first, next <= now {
                clear.noticeBreak(at: .seconds(now))
                rest.removeFirst()
            }
            if step >= 200, (step - 200) % 100 == 0, (step - 200) / 100 < 16 {
                clear.add(click((step - 200) / 100), at: .seconds(now))
            }
            taken += clear.take(at: .seconds(now))
        }
        taken += clear.take(at: nil)
        return (taken.map { Int(($0.hidden / .milliseconds(1)).rounded()) }, clear.dropped)
    }

    @Test func `Without a break every click counts, in its order`() {
        let (numbers, dropped) = left(breaks: [])
        #expect(numbers == Array(0..<16) && dropped == 0)
    }

    @Test func `A break takes the clicks of a second before and after it, and no others`() {
        // Clicks 6 and 7 came at 4 s and 4.5 s, clicks 8 and 9 come at 5 s and 5.5 s.
        let (numbers, dropped) = left(breaks: [4.75])
        #expect(numbers == [0, 1, 2, 3, 4, 5, 10, 11, 12, 13, 14, 15], "\(numbers)")
        #expect(dropped == 4)
        let two = left(breaks: [2.2, 8.7])
        #expect(two.numbers.count + two.dropped == 16 && two.numbers.contains(9) && !two.numbers.contains(2))
    }
}
