internal import Realtime

/// Reports that wait to be taken; when there are too many the oldest go.
internal struct OnsetQueue: ~Copyable, Sendable {
    /// How many reports were dropped.
    private(set) var dropped = 0
    private let memory: SampleBuffer<Onset>
    private var first = 0, count = 0

    init(capacity: Int) { memory = SampleBuffer(count: capacity, repeating: Onset()) }

    @_noLocks mutating func add(_ onset: Onset) {
        if count == memory.count {
            first = (first + 1) % memory.count
            count -= 1
            dropped += 1
        }
        memory.unsafeElements[(first + count) % memory.count] = onset
        count += 1
    }

    @_noLocks mutating func next() -> Onset? {
        guard count > 0 else { return nil }
        let onset = memory.unsafeElements[first]
        first = (first + 1) % memory.count
        count -= 1
        return onset
    }

    @_noLocks mutating func reset() { (first, count, dropped) = (0, 0, 0) }
}
