/// For how long a tone has been moving: what the predictor did not foresee, and was the sound before, moved.
internal struct MovingSpell: BitwiseCopyable, Sendable {
    private static var never: Int { @_noLocks get { -1 << 40 } }
    /// Hops of 30 ms, within which a note is looked at again and again, and of 0.3 s: a vibrato of 4 Hz turns every 125 ms.
    private let apart: Int, remembered: Int
    /// When this spell began, the last look of it, and the last of the one before.
    private var first = never, last = never, before = never

    init(sizes: OnsetSizes) { (apart, remembered) = (sizes.hops(0.03), sizes.hops(0.3)) }

    /// A look at this hop has shown a tone that moves.
    @_noLocks mutating func add(_ hop: Int) {
        if hop - last > apart { (before, first) = (last, hop) }
        last = hop
    }

    /// Whether a tone moved right before a note: looks at the note itself do not count.
    @_noLocks func holds(before hop: Int) -> Bool {
        hop - (first < hop - apart ? last : before) < remembered
    }

    @_noLocks mutating func reset() { (first, last, before) = (Self.never, Self.never, Self.never) }
}
