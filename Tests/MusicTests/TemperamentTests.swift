import Foundation
import Music
import Testing

@Suite struct TemperamentTests {
    @Test(arguments: publishedDegrees) func `Every degree of a temperament agrees with the published table`(
        name: String, cents: [Double]
    ) throws {
        let degrees = try Temperament(named: name).degrees
        #expect(degrees.count == 12)
        for (degree, expected) in zip(degrees, cents) {
            // Half a unit of the table's last place, and a fiftieth of that for the doubles in between.
            #expect(abs(degree.value - expected) < 0.000_51, "\(name): \(degree.value) against \(expected)")
        }
    }

    @Test(arguments: scalaArchive) func `Every offset agrees with the Scala archive`(
        name: String, offsets: [Double?]
    ) throws {
        let ours = try Temperament(named: name).offsets()
        #expect(offsets.count == 12)
        for (offset, expected) in zip(ours, offsets) {
            guard let expected else { continue }
            // A unit of the last place: the archive rounds each degree, and A has been subtracted.
            #expect(abs(offset.value - expected) < 0.001, "\(name): \(offset.value) against \(expected)")
        }
    }

    @Test(arguments: poletti) func `Every offset agrees with Poletti's tables`(name: String, offsets: [Double]) throws {
        let degrees = try Temperament(named: name).degrees
        #expect(offsets.count == 12)
        for (pitchClass, expected) in offsets.enumerated() {
            // Half a unit of the last place.
            let offset = degrees[pitchClass].value - 100 * Double(pitchClass)
            #expect(abs(offset - expected) < 0.05, "\(name): \(offset) against \(expected)")
        }
    }

    @Test func `There are more than 40, and all but equal temperament have a table`() {
        print("temperaments: \(Temperament.all.count)")
        #expect(Temperament.all.count > 40)
        let tested = Set(publishedDegrees.map(\.name)).union(scalaArchive.map(\.name)).union(poletti.map(\.name))
        let others: Set = ["equal", "Kirnberger II", "tempérament ordinaire"]
        #expect(Set(Temperament.all.map(\.name)).subtracting(tested) == others, "tested below")
        #expect(Temperament.equal.offsets().allSatisfy { $0.value == 0 })
        #expect(Temperament.all.allSatisfy { !$0.source.isEmpty })
    }

    @Test func `Kellner's own offsets from equal with A at the fork`() {
        // Kellner's table as he printed it, to a tenth of a cent: C, Cis, D, Es, E, F, Fis, G, As, A, B, H.
        let printed = [8.2, -1.6, 2.8, 2.3, -2.7, 6.2, -3.5, 5.5, 0.4, 0, 4.3, -0.7]
        for (offset, expected) in zip(Temperament.kellner.offsets(), printed) {
            // A tenth, since he rounded the fifth before adding it up.
            #expect(abs(offset.value - expected) < 0.1)
        }
    }

    @Test func `Neidhardt's and Sorge's monochords`() throws {
        // Lengths for C, C♯, ... B as Neidhardt, 1732 (for a village), and Sorge, 1758, print them, quoted by Meister, "Die
        // Orgelstimmung in Süddeutschland", 1991, pages 123 and 124. Neidhardt's F♯, 1420.48, misses its pure fifth to C♯ by
        // 0.17 cents.
        let monochords: [(String, [Double?])] = [
            (
                "Neidhardt 1732 Dorf",
                [
                    2_000, 1_894.15, 1_783.80, 1_685.59, 1_596.38, 1_500, nil, 1_334.83, 1_264.19, 1_193.23, 1_123.72,
                    1_064.25,
                ]
            ),
            (
                "Sorge 1758",
                [
                    2_000, 1_892.01, 1_785.82, 1_683.69, 1_592.78, 1_500, 1_417.40, 1_336.34, 1_261.34, 1_193.23,
                    1_123.72, 1_061.85,
                ]
            ),
        ]
        for (name, lengths) in monochords {
            for (degree, length) in zip(try Temperament(named: name).degrees, lengths) {
                guard let length else { continue }
                // They cut off after the second decimal: 0.01 of 1061.85 is 0.016 cents, and some are one off.
                #expect(abs(degree.value - 1_200 * log2(2_000 / length)) < 0.02, "\(name): \(length)")
            }
        }
    }

    @Test func `Marpurg's logarithms of 1790`() throws {
        // "Neue Methode", page 28, logarithms of lengths from 5 for c up to F♯, as quoted on groenewald-berlin.de, T 07.
        let logarithms = [
            (11, 5.026_557_6), (10, 5.051_152_4), (9, 5.075_748_2), (8, 5.100_343_0), (7, 5.126_900_6),
            (6, 5.151_496_4),
        ]
        let degrees = try Temperament(named: "Marpurg VII").degrees
        for (pitchClass, logarithm) in logarithms {
            // The seventh decimal is 0.0004 cents, and he adds up to six of them.
            let cents = 1_200 * (1 - (logarithm - 5) / log10(2))
            #expect(abs(degrees[pitchClass].value - cents) < 0.0025)
        }
    }

    @Test func `Silbermann's thirds`() throws {
        // Meister, 1991, as quoted on groenewald-berlin.de, T 63: sizes in cents and how many there are.
        let degrees = try Temperament(named: "Silbermann").degrees.map(\.value)
        func count(_ size: Double, semitones: Int) -> Int {
            (0..<12).count { from in
                let interval = degrees[(from + semitones) % 12] - degrees[from]
                return abs((interval < 0 ? interval + 1_200 : interval) - size) < 0.000_51
            }
        }
        #expect(count(392.180, semitones: 4) == 8 && count(415.640, semitones: 4) == 4)
        #expect(count(305.865, semitones: 3) == 9 && count(282.405, semitones: 3) == 3)
    }

    @Test func `Kirnberger's second by Dupont, Young's first by Gann, d'Alembert's by the Scala archive`() throws {
        let tables: [(String, unit: Double, [Double])] = [
            // Dupont, "Geschichte der musikalischen Temperatur", 1935, page 96, in whole cents.
            ("Kirnberger II", 1, [0, 90, 204, 294, 386, 498, 590, 702, 792, 895, 996, 1_088]),
            // Gann, "An Introduction to Historical Tunings", to a tenth.
            ("Young I", 0.1, [0, 93.9, 195.8, 297.8, 391.7, 499.9, 591.9, 697.9, 795.8, 893.8, 999.8, 1_091.8]),
            // alembert-rousseau2.scl, which rounds G to 697 and D and A with it: these three are of alembert-rousseau.scl. E♭ and
            // B♭ are up to 0.000 96 off four equal fifths.
            (
                "tempérament ordinaire", 0.002,
                [
                    0, 86.313_71, 193.156_86, 289.736_25, 386.313_71, 496.578_75, 586.313_71, 696.578_43, 786.313_71,
                    889.735_29, 993.157_50, 1_086.313_71,
                ]
            ),
        ]
        for (name, unit, cents) in tables {
            for (degree, expected) in zip(try Temperament(named: name).degrees, cents) {
                #expect(abs(degree.value - expected) < unit / 2, "\(name): \(degree.value) against \(expected)")
            }
        }
    }

    @Test func `The frequencies that electronic tuners print for Klais`() throws {
        let hertz = [262.76, 276.87, 294.30, 311.46, 328.70, 350.37, 369.18, 393.70, 415.30, 440, 467.18, 492.26]
        for (pitchClass, offset) in try Temperament(named: "Klais").offsets().enumerated() {
            let printed = 1_200 * log2(hertz[pitchClass] / 440) - 100 * Double(pitchClass - 9)
            // Each is cut off to a hundredth before the next fifth is set on it: seven of up to 0.06 cents.
            #expect(abs(offset.value - printed) < 0.42, "\(offset.value) against \(printed)")
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

    @Test func `A temperament of one's own starts from its first step`() {
        var steps = InlineArray<12, Cents> { (5 + 100 * $0).cents }
        steps[9] = 915.cents
        let own = Temperament(name: "stretched", steps: steps)
        #expect(own.degrees[0].value == 0)
        #expect(own.degrees[9].value == 910)
        #expect(own.offsets()[0].value == -10)
    }
}
