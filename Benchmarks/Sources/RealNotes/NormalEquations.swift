import Foundation

/// Σ x xᵀ, Σ x y and Σ y² of a linear regression, each over the number of rows.
struct NormalEquations {
    private var matrix: [[Double]]
    private var right: [Double]
    private var square = 0.0

    init(_ rows: [[Double]], _ targets: [Double]) {
        let count = rows.first?.count ?? 0
        matrix = Array(repeating: Array(repeating: 0, count: count), count: count)
        right = Array(repeating: 0, count: count)
        let share = 1 / Double(max(1, rows.count))
        for (row, target) in zip(rows, targets) {
            for i in 0..<count {
                for j in 0..<count { matrix[i][j] += share * row[i] * row[j] }
                right[i] += share * row[i] * target
            }
            square += share * target * target
        }
    }

    /// The root mean square of what the unknowns `p` leave.
    func rms(of p: [Double]) -> Double {
        var sum = square
        for i in p.indices {
            sum -= 2 * p[i] * right[i]
            for j in p.indices { sum += p[i] * p[j] * matrix[i][j] }
        }
        return max(0, sum).squareRoot()
    }

    /// The unknowns that make the sum of the one's square and `weight` times the other's least, by Cholesky's factors.
    ///
    /// A 1e-10th of the mean diagonal keeps what says nothing at zero.
    static func solve(_ one: NormalEquations, _ other: NormalEquations, weight: Double) -> [Double] {
        let count = one.right.count
        var factor = one.matrix
        var solution = one.right
        for i in 0..<count {
            for j in 0..<count { factor[i][j] += weight * other.matrix[i][j] }
            solution[i] += weight * other.right[i]
        }
        let trace = (0..<count).reduce(0) { $0 + factor[$1][$1] }
        for i in 0..<count { factor[i][i] += 1e-10 * trace / Double(max(1, count)) + .leastNormalMagnitude }
        for i in 0..<count {
            for j in 0...i {
                let sum = (0..<j).reduce(factor[i][j]) { $0 - factor[i][$1] * factor[j][$1] }
                factor[i][j] = i == j ? max(sum, .leastNormalMagnitude).squareRoot() : sum / factor[j][j]
            }
            solution[i] = (0..<i).reduce(solution[i]) { $0 - factor[i][$1] * solution[$1] } / factor[i][i]
        }
        for i in (0..<count).reversed() {
            solution[i] = ((i + 1)..<count).reduce(solution[i]) { $0 - factor[$1][i] * solution[$1] } / factor[i][i]
        }
        return solution
    }
}
