internal import CRealtime
internal import Music

/// Where a time lies on a grid of beats, in beats from its first.
package struct BeatPositions: Sendable {
    private let times: [Double]
    /// Seconds of the first and the last beat.
    private let first: Double, last: Double
    /// How many beats are between two of the times.
    private var step = 1.0
    /// The position that counts as 0.
    private var start = 0.0

    /// Beats of one tempo, in beats per minute, the first of them at `origin`.
    package init(tempo: Double, origin: Duration) {
        times = [origin.inSeconds]
        (first, last) = (60 / tempo, 60 / tempo)
    }

    /// Beats of one tempo, in beats per minute, that begin with the first note and lie where the steps of the grid are closest
    /// to the notes: at the mean of their distances from it, as an angle.
    package init(tempo: Double, fitting notes: [MelodyNote], stepsPerBeat: Int) {
        let first = notes.map(\.start).min() ?? .zero
        let step = 60 / tempo / Double(stepsPerBeat)
        var (x, y) = (0.0, 0.0)
        for note in notes {
            let angle = 2 * Double.pi * (note.start - first).inSeconds / step
            (x, y) = (x + rt_cos(angle), y + rt_sin(angle))
        }
        let shift = notes.isEmpty ? 0 : rt_atan2(y, x) / (2 * .pi) * step
        self.init(tempo: tempo, origin: first + .seconds(shift))
    }

    /// Beats at these times, in rising order; `nil` with fewer than two. Before and after them the tempo is that of the first
    /// and of the last beat.
    package init?(beats: [Duration]) {
        let times = beats.map(\.inSeconds)
        guard times.count > 1, zip(times, times.dropFirst()).allSatisfy(<) else { return nil }
        self.times = times
        (first, last) = (times[1] - times[0], times[times.count - 1] - times[times.count - 2])
    }

    /// Beats at these times, and as many before the first of them, in its tempo, as there are from the time at which the music
    /// begins: the position of that is near 0. `nil` as above.
    ///
    /// - Parameter step: positions from one of these beats to the next: 1.5 for quarters where the beats are dotted ones.
    package init?(beats: [Duration], from start: Duration, step: Double = 1) {
        guard let first = beats.first else { return nil }
        let count = min(beats.count - 1, Self.beginning)
        guard count > 0, beats[count] > first else { return nil }
        let period = (beats[count] - first) / count
        let missing = max(0, Int(((first - start) / period).rounded()))
        self.init(beats: (0..<missing).map { first - period * (missing - $0) } + beats.drop { $0 < start - period / 2 })
        self.step = step
    }

    /// The intervals that tell the tempo at the beginning.
    private static let beginning = 8

    /// The same beats, counted from the one at a position.
    package func counted(from position: Double) -> BeatPositions {
        var positions = self
        positions.start += position
        return positions
    }

    /// The beats and parts of a beat from the first beat to a time; negative before it.
    package func position(of time: Duration) -> Double { step * number(of: time) - start }

    private func number(of time: Duration) -> Double {
        let seconds = time.inSeconds
        if seconds < times[0] { return (seconds - times[0]) / first }
        let end = times.count - 1
        if seconds >= times[end] { return Double(end) + (seconds - times[end]) / last }
        var (low, high) = (0, end)
        while high - low > 1 {
            let middle = (low + high) / 2
            if times[middle] <= seconds { low = middle } else { high = middle }
        }
        return Double(low) + (seconds - times[low]) / (times[high] - times[low])
    }
}
