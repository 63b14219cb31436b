import Music
import Testing

/// Published tables, cents above the tonic C, by pitch class, to a thousandth.
///
/// The meantones, Werckmeister III, Vallotti, Kellner and Pythagorean as in the Scala scale archive (meanthird, meanquar,
/// meanfifth, meansixth, werck3, vallotti, kellner, pyth_12; those that print two decimals completed from the closed form);
/// Kirnberger III with the schisma on F♯–C♯ and Young II as six fifths C–G … B–F♯ narrow by a sixth of the comma
/// (Jorgensen, "Tuning", 1991): worked out from P = 23.460010384649, s = 21.506289596715 and f = 701.955000865387.
private let published: [(name: String, cents: [Double])] = [
    ("just", [0, 111.731, 203.910, 315.641, 386.314, 498.045, 590.224, 701.955, 813.686, 884.359, 1017.596, 1088.269]),
    (
        "Pythagorean",
        [0, 113.685, 203.910, 294.135, 407.820, 498.045, 611.730, 701.955, 815.640, 905.865, 996.090, 1109.775]
    ),
    (
        "third-comma meantone",
        [0, 63.504, 189.572, 315.641, 379.145, 505.214, 568.717, 694.786, 758.290, 884.359, 1010.428, 1073.931]
    ),
    (
        "quarter-comma meantone",
        [0, 76.049, 193.157, 310.265, 386.314, 503.422, 579.471, 696.578, 772.627, 889.735, 1006.843, 1082.892]
    ),
    (
        "fifth-comma meantone",
        [0, 83.576, 195.307, 307.039, 390.615, 502.346, 585.922, 697.654, 781.230, 892.961, 1004.693, 1088.269]
    ),
    (
        "sixth-comma meantone",
        [0, 88.594, 196.741, 304.888, 393.482, 501.629, 590.224, 698.371, 786.965, 895.112, 1003.259, 1091.853]
    ),
    (
        "Werckmeister III",
        [0, 90.225, 192.180, 294.135, 390.225, 498.045, 588.270, 696.090, 792.180, 888.270, 996.090, 1092.180]
    ),
    (
        "Kirnberger III",
        [0, 90.225, 193.157, 294.135, 386.314, 498.045, 590.224, 696.578, 792.180, 889.735, 996.090, 1088.269]
    ),
    (
        "Vallotti",
        [0, 94.135, 196.090, 298.045, 392.180, 501.955, 592.180, 698.045, 796.090, 894.135, 1000, 1090.225]
    ),
    (
        "Young II",
        [0, 90.225, 196.090, 294.135, 392.180, 498.045, 588.270, 698.045, 792.180, 894.135, 996.090, 1090.225]
    ),
    (
        "Kellner",
        [0, 90.225, 194.526, 294.135, 389.052, 498.045, 588.270, 697.263, 792.180, 891.789, 996.090, 1091.007]
    ),
]

@Suite struct TemperamentTests {
    @Test(arguments: published) func `Every degree of a temperament agrees with the published table`(
        name: String, cents: [Double]
    ) throws {
        let degrees = try Temperament(named: name).degrees
        #expect(degrees.count == 12)
        for (degree, expected) in zip(degrees, cents) {
            // Half a unit of the table's last place, and a fiftieth of that for the doubles in between.
            #expect(abs(degree.value - expected) < 0.000_51, "\(name): \(degree.value) against \(expected)")
        }
    }

    @Test func `Only equal temperament is missing from the tables`() {
        #expect(Set(Temperament.all.map(\.name)).subtracting(published.map(\.name)) == ["equal"])
        #expect(Temperament.equal.offsets().allSatisfy { $0.value == 0 })
    }

    @Test func `Kellner's own offsets from equal with A at the fork`() {
        // Kellner's table as he printed it, to a tenth of a cent: C, Cis, D, Es, E, F, Fis, G, As, A, B, H.
        let printed = [8.2, -1.6, 2.8, 2.3, -2.7, 6.2, -3.5, 5.5, 0.4, 0, 4.3, -0.7]
        for (offset, expected) in zip(Temperament.kellner.offsets(), printed) {
            // A tenth, since he rounded the fifth before adding it up.
            #expect(abs(offset.value - expected) < 0.1)
        }
    }

    @Test func `The fifths are those that the tuner sets`() throws {
        let pure = 701.955_000_865_387_4
        let pythagorean = 23.460_010_384_649_014
        func fifth(_ temperament: Temperament, from pitchClass: Int) -> Double {
            let degrees = temperament.degrees
            let size = degrees[(pitchClass + 7) % 12].value - degrees[pitchClass].value
            return size < 0 ? size + 1_200 : size
        }
        for temperament in Temperament.all {
            let sum = (0..<12).reduce(0) { $0 + fifth(temperament, from: $1) }
            // Twelve roundings of numbers below 2048 in double precision.
            #expect(abs(sum - 8_400) < 1e-9, "\(temperament.name) closes the circle")
        }
        // D–A of Young II is narrow by P/6, F–C pure; of Vallotti both are narrow, B–F♯ pure.
        #expect(abs(fifth(.youngII, from: 2) - (pure - pythagorean / 6)) < 1e-9)
        #expect(abs(fifth(.youngII, from: 5) - pure) < 1e-9)
        #expect(abs(fifth(.youngII, from: 11) - (pure - pythagorean / 6)) < 1e-9)
        #expect(abs(fifth(.vallotti, from: 5) - (pure - pythagorean / 6)) < 1e-9)
        #expect(abs(fifth(.vallotti, from: 11) - pure) < 1e-9)
        // The wolf of quarter-comma meantone: 737.637 cents (Barbour).
        #expect(abs(fifth(.quarterCommaMeantone, from: 8) - 737.637) < 0.000_51)
        // Kirnberger's F♯–C♯ takes the schisma, 32805 : 32768.
        #expect(abs(fifth(.kirnbergerIII, from: 6) - (pure - 1.953_720_787_934)) < 1e-9)
    }

    @Test func `A stays at the fork and the pattern turns with the key`() {
        for temperament in Temperament.all {
            for key in -12..<24 {
                let offsets = temperament.offsets(key: key)
                #expect(offsets[9].value == 0)
                let home = temperament.offsets(key: 0)
                for pitchClass in 0..<12 {
                    let turned = offsets[pitchClass].value - offsets[((key % 12) + 12) % 12].value
                    let expected = home[((pitchClass - key) % 12 + 12) % 12].value - home[0].value
                    #expect(abs(turned - expected) < 1e-9)
                }
            }
        }
        // Just intonation on D: the third D–F♯ is 5:4, 386.314 cents, so 13.686 below equal.
        let just = Temperament.just.offsets(key: 2)
        #expect(abs(just[6].value - just[2].value + 13.686_286_135) < 1e-6)
    }

    @Test func `Names are found however they are spelled, and unknown ones list the likely`() throws {
        #expect(try Temperament(named: "werckmeister-iii") == .werckmeisterIII)
        #expect(try Temperament(named: "WERCKMEISTER") == .werckmeisterIII)
        #expect(try Temperament(named: "meantone") == .quarterCommaMeantone)
        #expect(try Temperament(named: "1/4 comma") == .quarterCommaMeantone)
        #expect(try Temperament(named: "young") == .youngII)
        #expect {
            try Temperament(named: "werkmeister")
        } throws: { error in
            guard case .unknown("temperament", "werkmeister", let known) = error as? NameError else { return false }
            return known.contains("Werckmeister III")
        }
        #expect(throws: NameError.unknown(kind: "temperament", name: "vall", known: ["Vallotti"])) {
            try Temperament(named: "vall")
        }
        #expect(
            NameError.unknown(kind: "temperament", name: "x", known: ["a", "b"]).message
                == "no temperament is called 'x': choose one of a, b")
    }

    @Test func `A temperament of one's own starts from its first step`() {
        var steps = InlineArray<12, Cents> { (5 + 100 * $0).cents }
        steps[9] = 915.cents
        let own = Temperament(name: "stretched", steps: steps)
        #expect(own.degrees[0].value == 0)
        #expect(own.degrees[9].value == 910)
        #expect(own.offsets()[0].value == -10)
    }
}
