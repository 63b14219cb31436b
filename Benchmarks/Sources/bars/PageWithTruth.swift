import Foundation
import BarDetection

/// A page of `Benchmarks/score-pages`: its picture, and where its systems and bar lines are, in pixels.
struct PageWithTruth {
    struct System {
        let staffCount: Int
        var top: Double, bottom: Double
        /// The distance between two staff lines.
        let space: Double
        var bars: [Double] = []
    }

    /// `piano-1-3`.
    let name: String
    var image: GrayImage
    var systems: [System]
    /// The part of the name before the first hyphen.
    var kind: String { String(name.prefix { $0 != "-" }) }

    /// All pages of a folder, in the order of their names.
    static func all(in folder: String) throws -> [PageWithTruth] {
        try FileManager.default.contentsOfDirectory(atPath: folder).filter { $0.hasSuffix(".csv") }.sorted()
            .map { try PageWithTruth(folder: folder, name: String($0.dropLast(4))) }
    }

    private init(folder: String, name: String) throws {
        let image = try PagePicture.read("\(folder)/\(name).png")
        let text = try String(contentsOfFile: "\(folder)/\(name).csv", encoding: .utf8)
        var systems: [System] = []
        for line in text.split(separator: "\n") {
            let fields = line.split(separator: ",")
            let numbers = fields.dropFirst().compactMap { Double($0) }
            switch (fields.first, numbers.count) {
            case ("page", 2): break
            case ("system", 4):
                systems.append(
                    System(staffCount: Int(numbers[0]), top: numbers[1], bottom: numbers[2], space: numbers[3]))
            case ("bar", 1) where !systems.isEmpty: systems[systems.count - 1].bars.append(numbers[0])
            default: throw CocoaError(.fileReadCorruptFile)
            }
        }
        (self.name, self.image, self.systems) = (name, image, systems)
    }
}
