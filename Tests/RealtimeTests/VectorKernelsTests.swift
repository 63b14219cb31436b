import Realtime
import TestSignals
import Testing

@Suite struct VectorKernelsTests {
    @Test func `A sum of products is that of its terms one after the other, for any count and address`() {
        let seed: UInt64 = 3_412
        print("seed \(seed)")
        var random = SeededGenerator(seed: seed)
        for run in 0..<200 {
            // All rests of a division by 16, and none of it.
            let count = run < 40 ? run : Int.random(in: 0...2_000, using: &random)
            let (first, second) = (Int.random(in: 0...7, using: &random), Int.random(in: 0...7, using: &random))
            let a = (0..<(count + 8)).map { _ in Double.random(in: -1...1, using: &random) }
            let b = (0..<(count + 8)).map { _ in Double.random(in: -1...1, using: &random) }
            let terms = (0..<count).map { a[first + $0] * b[second + $0] }
            let (sum, size) = (terms.reduce(0, +), terms.reduce(0) { $0 + abs($1) })
            let exact = a.withUnsafeBufferPointer { a in
                b.withUnsafeBufferPointer { b in
                    dotProduct(a.baseAddress! + first, b.baseAddress! + second, count)
                }
            }
            // Each of `count` additions, and each product, is rounded by 2⁻⁵³ of what it comes to.
            #expect(abs(exact - sum) <= Double(count + 1) * 0x1p-53 * size)
            let (short, other) = (a.map(Float.init), b.map(Float.init))
            let rounded = short.withUnsafeBufferPointer { a in
                other.withUnsafeBufferPointer { b in
                    dotProduct(a.baseAddress! + first, b.baseAddress! + second, count)
                }
            }
            // The factors are rounded by 2⁻²⁴ too.
            #expect(abs(Double(rounded) - sum) <= Double(count + 4) * 0x1p-24 * size)
        }
    }

    @Test func `Neighbours are loaded in their order from any address`() {
        let floats = (0..<24).map(Float.init), doubles = (0..<24).map(Double.init)
        for first in 0..<16 {
            let expected = (0..<8).map { Float(first + $0) }
            floats.withUnsafeBufferPointer {
                let (long, short) = (eight($0.baseAddress!, first), four($0.baseAddress!, first))
                #expect((0..<8).map { long[$0] } == expected && (0..<4).map { short[$0] } == Array(expected[..<4]))
            }
            doubles.withUnsafeBufferPointer {
                let (long, short) = (eight($0.baseAddress!, first), four($0.baseAddress!, first))
                #expect((0..<8).map { Float(long[$0]) } == expected)
                #expect((0..<4).map { Float(short[$0]) } == Array(expected[..<4]))
            }
        }
    }
}
