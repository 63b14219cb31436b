import Foundation
import Kernels

/// How many instructions a unit of each kernel may take, at most and at least, and the most that some may take of others.
struct Thresholds: Codable {
    struct Ratio: Codable {
        let of: String
        let to: String
        let atMost: Double
    }
    /// A compiler of another patch level, another libm or a processor with other vectors may count that much more.
    let tolerance: Double
    let instructions: [String: Double]
    /// What needs less than this share of what was counted does not do its work any more.
    private static let least = 0.7
    let ratios: [Ratio]

    init(counts: [String: Double]) {
        tolerance = 1.1
        instructions = counts.mapValues { $0.rounded() }
        ratios = Kernel.transformSizes.map { size in
            let (own, library) = ("FFT \(size), own", "FFT \(size), FFTW")
            let ratio = (counts[own] ?? 0) / (counts[library] ?? 1)
            return Ratio(of: own, to: library, atMost: (ratio * 110).rounded(.up) / 100)
        }
    }

    init(reading file: URL) throws { self = try JSONDecoder().decode(Thresholds.self, from: Data(contentsOf: file)) }

    func limit(_ kernel: String) -> Double? { instructions[kernel].map { $0 * tolerance } }

    func verdict(on count: Double, for kernel: String) -> String {
        guard let stored = instructions[kernel] else { return "NO THRESHOLD" }
        return count > stored * tolerance ? "SLOWER" : count < stored * Self.least ? "VANISHED" : "ok"
    }

    func write(to file: URL) throws {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.prettyPrinted, .sortedKeys]
        try (encoder.encode(self) + Data("\n".utf8)).write(to: file)
    }
}
