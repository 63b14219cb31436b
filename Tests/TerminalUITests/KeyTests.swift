import TerminalUI
import Testing

@Suite struct KeyTests {
    private func keys(_ text: String) -> [Key] {
        var decoder = KeyDecoder()
        return decoder.keys(in: text.utf8)
    }

    @Test func `Characters, arrows and page keys are decoded, with both sequences for arrows`() {
        #expect(keys("q A") == [.character("q"), .character(" "), .character("A")])
        #expect(keys("\u{1B}[A\u{1B}OB\u{1B}[5~\u{1B}[6~") == [.up, .down, .pageUp, .pageDown])
        #expect(keys("\u{1B}[1;2C\u{1B}[D\r\u{7F}") == [.right, .left, .enter, .backspace])
        #expect(keys("\u{1B}") == [.escape])
        #expect(keys("é") == [.character("é")])
    }

    @Test func `A character that comes in two halves is put together`() {
        var decoder = KeyDecoder()
        let bytes = Array("é".utf8)
        #expect(decoder.keys(in: bytes.prefix(1)) == [])
        #expect(decoder.keys(in: bytes.suffix(1)) == [.character("é")])
    }

    @Test func `Any bytes at all are keys or nothing, and q after them is still q`() {
        // 100,000 bytes of a linear congruential generator (Knuth's MMIX constants), seed 1.
        var state: UInt64 = 1
        var decoder = KeyDecoder()
        var count = 0
        for _ in 0..<1_000 {
            let bytes = (0..<100).map { _ -> UInt8 in
                state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
                return UInt8(truncatingIfNeeded: state >> 56)
            }
            count += decoder.keys(in: bytes).count
        }
        #expect(count > 20_000, "most of them mean something")
        _ = decoder.keys(in: "    ".utf8)
        #expect(decoder.keys(in: "q".utf8) == [.character("q")])
    }
}
