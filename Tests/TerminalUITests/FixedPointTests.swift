import Foundation
import TerminalUI
import TestSignals
import Testing

@Suite struct FixedPointTests {
    @Test func `Every number is written as the C library does, except that zero has no minus`() {
        let seed: UInt64 = 41
        print("seed \(seed)")
        var random = SeededGenerator(seed: seed)
        var values: [Double] = [0, -0.0, 0.5, 1.5, 2.5, 0.125, 0.375, -0.05, 9.995, 99.95, 999.5, 0x1p40, 0x1p39 + 0.5]
        values += [.leastNonzeroMagnitude, 1e-300, 0x1p-1022, 1e15, 1e300, .infinity, -.infinity]
        for _ in 0..<3_000 {
            values.append(Double.random(in: -1_000...1_000, using: &random))
            values.append(Double(bitPattern: random.next()))
            // Halves, where the rule for the even neighbour counts.
            values.append(Double(Int.random(in: -99_999...99_999, using: &random)) / 16)
        }
        var minus = 0
        for value in values where !value.isNaN {
            for decimals in [0, 1, 2, 3, 4, 6, 9] {
                for signed in [false, true] {
                    var expected = String(format: signed ? "%+.\(decimals)f" : "%.\(decimals)f", value)
                    let isZero = !expected.contains { "123456789".contains($0) }
                    if expected.hasPrefix("-"), value.isFinite, isZero {
                        expected = (signed ? "+" : "") + expected.dropFirst()
                        minus += 1
                    }
                    #expect(fixedPoint(value, decimals: decimals, signed: signed) == expected)
                }
            }
        }
        #expect(minus > 100, "numbers that round to zero from below are among them")
    }

    @Test func `Zero has no minus, and the sign is shown where it is asked for`() {
        #expect(fixedPoint(-0.04, decimals: 1, signed: true) == "+0.0")
        #expect(fixedPoint(-0.04, decimals: 1) == "0.0")
        #expect(fixedPoint(0.05001, decimals: 1, signed: true) == "+0.1")
        #expect(fixedPoint(-1.25, decimals: 2) == "-1.25")
        #expect(fixedPoint(.nan, decimals: 1).contains("nan"))
    }
}
