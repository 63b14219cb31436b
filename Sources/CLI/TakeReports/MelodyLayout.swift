internal import Music
internal import TerminalUI
internal import Transcription

/// Where the parts of a melody's picture lie, in dots of 1/96 inch: pages of A4 paper, landscape, with two systems each, as a
/// score has them. A system breaks at a bar line. The half page after the last system sums up.
struct MelodyLayout: Sendable {
    static let width = 1_122.0, pageHeight = 794.0
    static let left = 64.0, right = 1_090.0
    private static let systemsPerPage = 2
    /// The height of the heading of a page, and of a system with all its panels.
    private static let heading = 58.0, systemHeight = 356.0
    /// The height of a note's bar, which stands for a semitone: 100 cents.
    static let barHeight = 20.0
    /// The panels below the piano roll, and the space above each for its title.
    private static let timing = 52.0, loudness = 40.0, title = 20.0
    /// Bar numbers above the roll; time below the last panel, and the space to the next system.
    private static let numbers = 16.0, axis = 34.0

    /// What a system shows, in seconds.
    let systems: [ClosedRange<Double>]
    /// Dots of a second.
    private let scale: Double
    private let hasTiming: Bool

    /// A system shows so many seconds, by how close the notes are; more where there would be more systems than that.
    private static let seconds = 15.0...30, mostSystems = 60.0
    /// The dots from a note to the next that make a bar readable.
    private static let noteWidth = 10.0

    /// - Parameters:
    ///   - start: the beginning of the recording, for a melody without a grid.
    ///   - end: the end of the recording.
    init(_ melody: PlayedMelody, start: Double, end: Double) {
        let starts = melody.tones.map(\.start.inSeconds)
        let gaps = zip(starts, starts.dropFirst()).map { $1 - $0 }.sorted()
        let usual = gaps.isEmpty ? 1 : gaps[gaps.count / 2]
        let (least, most) = (Self.seconds.lowerBound, Self.seconds.upperBound)
        let wished = min(most, max(least, (Self.right - Self.left) * usual / Self.noteWidth))
        hasTiming = melody.grid != nil
        guard let grid = melody.grid, let first = melody.tones.compactMap(\.place).min(),
            let last = melody.tones.compactMap(\.place).max(), let final = melody.tones.last?.end.inSeconds
        else {
            let length = max(1, end - start)
            let shown = min(length, max(wished, length / Self.mostSystems))
            let count = Int((length / shown).rounded(.up))
            systems = (0..<count).map {
                start + Double($0) * length / Double(count)...start + Double($0 + 1) * length / Double(count)
            }
            scale = (Self.right - Self.left) * Double(count) / length
            return
        }
        let bars =
            grid.bar(
                ofBeat: first.beat)...max(
                grid.bar(ofBeat: last.beat), grid.bar(ofBeat: Int(grid.position(of: final - 1e-6).rounded(.down))))
        func time(_ bar: Int) -> Double { grid.time(of: Double(grid.firstBeat(ofBar: bar))) }
        let length = time(bars.upperBound + 1) - time(bars.lowerBound)
        let shown = max(wished, length / Self.mostSystems)
        let perSystem = max(1, Int(shown / (length / Double(bars.count))))
        let count = (bars.count + perSystem - 1) / perSystem
        let even = (bars.count + count - 1) / count
        let firsts = Array(stride(from: bars.lowerBound, through: bars.upperBound, by: even))
        systems = firsts.map { time($0)...max(time($0) + 0.1, time(min($0 + even, bars.upperBound + 1))) }
        let longest = systems.map { $0.upperBound - $0.lowerBound }.max() ?? 1
        scale = (Self.right - Self.left) / longest
    }

    /// The pages: the systems and the summing up after them.
    var pageCount: Int { (systems.count + Self.systemsPerPage) / Self.systemsPerPage }
    var height: Double { Double(pageCount) * Self.pageHeight }

    func top(ofPage page: Int) -> Double { Double(page) * Self.pageHeight }

    /// The top of a system, or of the summing up after the last.
    func top(ofSystem index: Int) -> Double {
        top(ofPage: index / Self.systemsPerPage) + Self.heading
            + Double(index % Self.systemsPerPage) * Self.systemHeight
    }

    /// The roll, from the top down.
    func roll(_ index: Int) -> (top: Double, bottom: Double) {
        let top = top(ofSystem: index) + Self.numbers
        return (top, timing(index).top - Self.title)
    }

    /// Lateness; without a grid it has no height.
    func timing(_ index: Int) -> (top: Double, bottom: Double) {
        let bottom = loudness(index).top - (hasTiming ? Self.title : 0)
        return (bottom - (hasTiming ? Self.timing : 0), bottom)
    }

    func loudness(_ index: Int) -> (top: Double, bottom: Double) {
        let bottom = top(ofSystem: index) + Self.systemHeight - Self.axis
        return (bottom - Self.loudness, bottom)
    }

    /// The system of a time; `nil` outside of all.
    func system(at seconds: Double) -> Int? {
        guard let first = systems.first, seconds >= first.lowerBound - Self.margin else { return nil }
        let index = systems.lastIndex { $0.lowerBound - Self.margin <= seconds } ?? 0
        return seconds <= systems[index].upperBound + Self.margin ? index : nil
    }

    /// A note on the first beat of a system may be early by that, in seconds.
    private static let margin = 0.1

    func x(_ seconds: Double, _ system: Int) -> Double {
        Self.left + (seconds - systems[system].lowerBound) * scale
    }

    /// Where a system ends.
    func right(ofSystem index: Int) -> Double { x(systems[index].upperBound, index) }
}
