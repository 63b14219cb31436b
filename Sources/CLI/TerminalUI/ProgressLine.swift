internal import Glibc
internal import Music
internal import Platform

/// How far a long task is, on standard error: percent, and the time that is left.
///
/// It shows nothing within the first two seconds, and nothing unless standard error is a terminal. The line disappears when
/// the task ends.
package struct ProgressLine: ~Copyable {
    private let task: String
    private let whole: Double?
    private let began = MonotonicTime.now()
    private var output = StandardOutput(descriptor: STDERR_FILENO)
    private var line = LiveLine()
    private let isShown: Bool
    private var next: MonotonicTime
    /// What precedes the first line, and the time between two lines.
    private static let patience = Duration.seconds(2), pause = Duration.milliseconds(200)

    /// - Parameters:
    ///   - task: what the line begins with.
    ///   - whole: what `advance` counts up to; `nil` if that is not known.
    package init(_ task: String, of whole: Double?) {
        self.task = task.legible
        self.whole = whole.flatMap { $0 > 0 ? $0 : nil }
        isShown = output.isTerminal
        next = began + Self.patience
    }

    /// Shows the progress, if there is a reason to.
    package mutating func advance(to done: Double) {
        guard isShown else { return }
        let now = MonotonicTime.now()
        guard now >= next else { return }
        next = now + Self.pause
        try? line.draw("\(task): " + Self.text(done: done, of: whole, after: now - began), on: &output)
    }

    /// Removes the line.
    package mutating func end() { try? line.erase(on: &output) }

    /// `37 %, 12 s left`, or the time since the beginning where the whole is not known.
    static func text(done: Double, of whole: Double?, after elapsed: Duration) -> String {
        guard let whole, done > 0 else { return "working for \(clock(elapsed.inSeconds))" }
        let finished = min(done, whole)
        return "\(Int(finished / whole * 100)) %, \(clock(elapsed.inSeconds * (whole - finished) / finished)) left"
    }

    /// `12 s`, `3 min 05 s` or `2 h 03 min`.
    private static func clock(_ seconds: Double) -> String {
        let whole = Int(min(seconds.rounded(.up), 360_000))
        func two(_ number: Int) -> String { (number < 10 ? "0" : "") + "\(number)" }
        if whole < 60 { return "\(whole) s" }
        if whole < 3_600 { return "\(whole / 60) min \(two(whole % 60)) s" }
        return "\(whole / 3_600) h \(two(whole / 60 % 60)) min"
    }
}
