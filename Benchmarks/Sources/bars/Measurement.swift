import BarDetection
import Foundation

/// What the detector makes of a set of pages, and how long it takes.
struct Measurement {
    private var scores: [String: BarScore] = [:]
    private(set) var all = BarScore()
    private var spent = 0.0

    func score(_ kind: String) -> BarScore { scores[kind] ?? BarScore() }

    /// Of this thread, for a page.
    var seconds: Double { spent / Double(max(1, all.pages)) }

    /// Returns what went wrong, in words.
    mutating func add(_ page: PageWithTruth) -> [String] {
        let begin = Self.processorSeconds
        let found = BarDetector().systems(in: page.image)
        spent += Self.processorSeconds - begin
        _ = scores[page.kind, default: BarScore()].add(found, page)
        return all.add(found, page)
    }

    private static var processorSeconds: Double {
        var time = timespec()
        clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
        return Double(time.tv_sec) + 1e-9 * Double(time.tv_nsec)
    }
}
