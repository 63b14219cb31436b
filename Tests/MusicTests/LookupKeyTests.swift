import TestSignals
import Testing

@testable import Music

@Suite struct LookupKeyTests {
    @Test(arguments: [
        ("Werckmeister III", "werckmeisteriii"), ("WERCKMEISTER_III", "werckmeisteriii"), ("B♭ clarinet", "bbclarinet"),
        ("C♯-F#", "c#f#"), ("1/4 comma", "1/4comma"), ("tempérament", "temperament"), ("e\u{301}", "e"),
        ("Straße", "strasse"), ("", ""), ("\r\n !", ""), ("다 라", "다라"),
    ]) func `A key has lower case and no accents, blanks or points`(name: String, key: String) {
        #expect(lookupKey(name) == key)
        #expect(isKey(key, of: name))
        #expect(!isKey(key + "x", of: name))
    }

    @Test func `A name is compared as its key is`() {
        let seed: UInt64 = 91
        print("lookup keys, seed \(seed)")
        var random = SeededGenerator(seed: seed)
        // Marks and a selector of emoji, which join the character before them.
        let characters = [
            "a", "B", "z", "4", "#", "+", "/", "-", " ", "♭", "♯", "é", "ß", "다", "\u{301}", "\u{338}", "\u{FE0F}",
            "\u{20E3}",
        ]
        func text(_ longest: Int) -> String {
            let count = Int.random(in: 0...longest, using: &random)
            return (0..<count).map { _ in characters[Int.random(in: characters.indices, using: &random)] }.joined()
        }
        var same = 0
        for _ in 0..<20_000 {
            let (name, key) = (text(3), lookupKey(text(3)))
            #expect(
                isKey(key, of: name) == (lookupKey(name) == key), "\(name.debugDescription), \(key.debugDescription)")
            same += isKey(key, of: name) ? 1 : 0
        }
        #expect(same > 100)
    }

    @Test(arguments: [
        ("guitr", ["guitar", "bass guitar"]), ("bass", ["bass guitar", "double bass"]),
        ("cello", ["guitar", "bass guitar", "double bass", "조율"]),
        ("조율", ["조율"]), ("조율자", ["조율"]), ("조울", ["조율"]),
    ]) func `Names like an unknown one share a word, its beginning, or all letters but one`(
        name: String, like: [String]
    ) {
        #expect(KnownNames(["guitar", "bass guitar", "double bass", "조율"]).likely(for: name) == like)
    }
}
