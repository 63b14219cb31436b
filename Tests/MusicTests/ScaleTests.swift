import Music
import Testing

@Suite struct ScaleTests {
    @Test func `Equal divisions step evenly through any period`() {
        let nineteen = Scale.equal(19)
        #expect(nineteen.count == 19)
        for degree in -40...40 {
            // 1200/19 is not exact in binary: two roundings of numbers below 4096.
            #expect(abs(nineteen.cents(ofDegree: degree).value - 1_200 * Double(degree) / 19) < 1e-11)
        }
        // Bohlen–Pierce: a thirteenth of 3:1 is 146.304 cents (Mathews and Pierce, JASA 84, 1988).
        let bohlenPierce = Scale.equal(13, of: .ratio(3, 1))
        #expect(abs(bohlenPierce.cents(ofDegree: 1).value - 146.304_231) < 1e-6)
        #expect(abs(bohlenPierce.cents(ofDegree: -13).value + 1_901.955_001) < 1e-6)
        #expect(Scale.equal(1).pitches == [.ratio(2, 1)])
    }

    @Test func `Equal divisions go by their usual names`() throws {
        #expect(try Scale(equalDivision: "19edo") == .equal(19))
        #expect(try Scale(equalDivision: "24-TET") == .equal(24))
        #expect(try Scale(equalDivision: "31 equal") == .equal(31))
        #expect(try Scale(equalDivision: "13ed3") == .equal(13, of: .ratio(3, 1)))
        #expect(try Scale(equalDivision: "9ed3/2") == .equal(9, of: .ratio(3, 2)))
        #expect(try Tuning(scale: Scale(equalDivision: "3000edo")).count > 3_000)
        for text in [
            "", "edo", "0edo", "3001edo", "-5edo", "19", "19x", "13ed", "13ed1", "13ed0", "13ed2/3", "13ed3/0",
            "13ed3/2/1",
            "13ed/3", "13ed-3", "99999999999999999999edo", "1٣edo",
        ] {
            #expect(throws: NameError.self, "\(text)") { try Scale(equalDivision: text) }
        }
    }

    @Test func `Ratios are cents to the last bits`() {
        // 1200 log2 of 3/2, 5/4 and of a schisma-sized ratio, to sixteen digits.
        #expect(abs(ScalePitch.ratio(3, 2).cents.value - 701.955_000_865_387_4) < 1e-12)
        #expect(abs(ScalePitch.ratio(5, 4).cents.value - 386.313_713_864_835_2) < 1e-12)
        // The difference of two logarithms near 15 keeps 2e-15 of them: 3e-12 cents.
        #expect(abs(ScalePitch.ratio(32_805, 32_768).cents.value - 1.953_720_787_933_9) < 1e-10)
        // 3^41 / 2^65, past 64 bits.
        let high = ScalePitch.ratio(36_472_996_377_170_786_403, 36_893_488_147_419_103_232)
        #expect(abs(high.cents.value - (41 * 1_901.955_000_865_387 - 65 * 1_200)) < 1e-9)
    }

    @Test func `A temperament is a scale of twelve`() {
        let scale = Scale(Temperament.vallotti)
        #expect(scale.count == 12)
        #expect(scale.period.value == 1_200)
        #expect(scale.cents(ofDegree: 7) == Temperament.vallotti.degrees[7])
        #expect(scale.cents(ofDegree: -5).value == Temperament.vallotti.degrees[7].value - 1_200)
    }

    @Test func `A scale of the single note 1 to 1 has no period`() {
        let scale = Scale(description: "one", pitches: [])
        #expect(scale.period.value == 0)
        #expect(scale.cents(ofDegree: 7).value == 0)
    }
}
