import Foundation
import BarDetection

/// What the detector made of some pages.
struct BarScore {
    private(set) var pages = 0, systems = 0, systemsFound = 0, systemsInvented = 0
    private(set) var bars = 0, barsFound = 0, barsInvented = 0, systemsRight = 0
    /// In staff spaces, of the bar lines that were found.
    private(set) var errors: [Double] = []

    var precision: Double { Double(barsFound) / Double(max(1, barsFound + barsInvented)) }
    var recall: Double { Double(barsFound) / Double(max(1, bars)) }
    var systemShare: Double { Double(systemsFound) / Double(max(1, systems)) }
    var meanError: Double { errors.reduce(0, +) / Double(max(1, errors.count)) }
    var errorDeviation: Double {
        (errors.reduce(0) { $0 + ($1 - meanError) * ($1 - meanError) } / Double(max(1, errors.count))).squareRoot()
    }

    /// All figures in a line.
    var text: String {
        String(
            format:
                "%3d pages, systems %d/%d +%d, bars %d: P %.4f R %.4f (%d invented, %d missed), x %+.3f sd %.3f space",
            pages, systemsFound, systems, systemsInvented, bars, precision, recall, barsInvented, bars - barsFound,
            meanError, errorDeviation)
    }

    /// Counts one page. Returns what went wrong, in words.
    ///
    /// A system is found where both its edges are within 1.2 staff spaces and it has as many staves; a bar line within one.
    mutating func add(_ found: [FoundSystem], _ page: PageWithTruth) -> [String] {
        let (width, height) = (Double(page.image.width) / 65_536, Double(page.image.height) / 65_536)
        var left = found
        var faults: [String] = []
        pages += 1
        for (number, system) in page.systems.enumerated() {
            systems += 1
            bars += system.bars.count
            let reach = 1.2 * system.space
            guard
                let index = left.firstIndex(where: {
                    abs(Double($0.y0) * height - system.top) < reach
                        && abs(Double($0.y1) * height - system.bottom) < reach && $0.staffCount == system.staffCount
                })
            else {
                faults.append("\(page.name) system \(number + 1): not found")
                continue
            }
            systemsFound += 1
            var lines = left.remove(at: index).bars.map { Double($0.x1) * width }
            var missed: [Int] = []
            for bar in system.bars {
                guard
                    let line = lines.indices.min(by: { abs(lines[$0] - bar) < abs(lines[$1] - bar) }),
                    abs(lines[line] - bar) < system.space
                else {
                    missed.append(Int(bar))
                    continue
                }
                barsFound += 1
                errors.append((lines.remove(at: line) - bar) / system.space)
            }
            barsInvented += lines.count
            if missed.isEmpty && lines.isEmpty {
                systemsRight += 1
            } else {
                faults.append(
                    "\(page.name) system \(number + 1) at y \(Int(system.top)): missed \(missed), invented \(lines.map { Int($0) })"
                )
            }
        }
        systemsInvented += left.count
        for system in left {
            faults.append(
                "\(page.name): no system at y \(Int(Double(system.y0) * height)), \(system.staffCount) staves")
        }
        return faults
    }
}
