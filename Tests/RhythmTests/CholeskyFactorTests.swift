import Foundation
import TestSignals
import Testing

@testable import Rhythm

@Suite struct CholeskyFactorTests {
    /// A = Bᵀ B of a random B is positive definite, and A x is multiplied out. A condition of 1e6 at most leaves 1e-9 of rounding.
    @Test func `The solution of random equations satisfies them`() {
        for seed in 1...100 {
            var random = SeededGenerator(seed: UInt64(seed))
            let n = Int.random(in: 1...12, using: &random)
            let b = (0..<(n + 8)).map { _ in (0..<n).map { _ in Double.random(in: -1...1, using: &random) } }
            let a = (0..<n).map { i in (0..<n).map { j in b.reduce(0) { $0 + $1[i] * $1[j] } } }
            let truth = (0..<n).map { _ in Double.random(in: -1...1, using: &random) }
            var x = a.map { row in zip(row, truth).reduce(0) { $0 + $1.0 * $1.1 } }
            let factor = CholeskyFactor(capacity: 12)
            for i in 0..<n { for j in 0...i { factor.row(i)[j] = a[i][j] } }
            factor.factorize(size: n, ridge: 0)
            x.withUnsafeMutableBufferPointer { factor.solve($0.baseAddress.unsafelyUnwrapped, size: n) }
            for i in 0..<n { #expect(abs(x[i] - truth[i]) < 1e-9, "of seed \(seed)") }
        }
    }

    /// Two rows that are the same leave a pivot of nothing: with a ridge of r, x = b / (2 + r) for each.
    @Test func `A ridge makes equations solvable that say the same`() {
        let factor = CholeskyFactor(capacity: 2)
        (factor.row(0)[0], factor.row(1)[0], factor.row(1)[1]) = (1, 1, 1)
        factor.factorize(size: 2, ridge: 1e-3)
        var x = [1.0, 1.0]
        x.withUnsafeMutableBufferPointer { factor.solve($0.baseAddress.unsafelyUnwrapped, size: 2) }
        for value in x { #expect(abs(value - 1 / 2.001) < 1e-9) }
    }
}
