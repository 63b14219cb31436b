package import AudioIO

extension StreamStatistics {
    /// One line for people: `0 xruns, 1 jump, 33600 frames lost; with real-time priority, memory pinned`.
    package var summary: String {
        func counted(_ count: Int, _ noun: String) -> String { "\(count) \(noun)\(count == 1 ? "" : "s")" }
        var parts = [counted(xruns, "xrun"), counted(discontinuities, "jump"), "\(lostFrames) frames lost"]
        if droppedFrames > 0 { parts.append("\(droppedFrames) frames dropped") }
        if suspensions > 0 { parts.append(counted(suspensions, "suspension")) }
        if enlargements > 0 { parts.append("period doubled \(counted(enlargements, "time"))") }
        if reopenings > 0 { parts.append("reopened \(counted(reopenings, "time"))") }
        let conditions = [
            hasRealtimePriority ? "with real-time priority" : "without real-time priority (see `ulimit -r`)",
            hasPinnedMemory ? "memory pinned" : "memory not pinned (see `ulimit -l`)",
        ]
        let pace = isPacedBySystem ? "; no clock of its own, paced by the system's" : ""
        return parts.joined(separator: ", ") + "; " + conditions.joined(separator: ", ") + pace
    }
}
