import Platform
import Testing

/// `LegibleText`.
struct LegibleTextTests {
    @Test(arguments: ["", "Bourrée", "左手のためのピアノ", "שיר", "a b\u{301}", "🎻 2"])
    func `Text of any language stays as it is`(text: String) { #expect(text.legible == text) }

    @Test func `Each control character becomes one question mark`() {
        for value in Array(0x00...0x1F) + Array(0x7F...0x9F) {
            let control = String(Unicode.Scalar(UInt32(value))!)
            #expect("a\(control)b".legible == "a?b", "U+\(String(value, radix: 16))")
        }
    }

    @Test func `What turns the text after it becomes a question mark, and its neighbours stay`() {
        for value in Array(0x202A...0x202E) + Array(0x2066...0x2069) {
            #expect("a\(Unicode.Scalar(UInt32(value))!)b".legible == "a?b", "U+\(String(value, radix: 16))")
        }
        for value in [0x2029, 0x202F, 0x2065, 0x206A] as [UInt32] {
            let neighbour = "a\(Unicode.Scalar(value)!)b"
            #expect(neighbour.legible == neighbour, "U+\(String(value, radix: 16))")
        }
    }
}
