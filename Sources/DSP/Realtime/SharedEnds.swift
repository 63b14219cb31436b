internal import Synchronization

/// Counts the two ends of what two threads share, so that the last of them frees the memory.
@usableFromInline
internal struct SharedEnds: ~Copyable {
    private let alive = Atomic<Int>(2)

    @usableFromInline internal init() {}

    /// Notes that an end is gone. Returns whether it was the last. Not for the audio thread, which may not free memory.
    internal borrowing func leave() -> Bool { alive.subtract(1, ordering: .acquiringAndReleasing).newValue == 0 }
}

/// Frees the elements that two ends have shared, and what coordinated them.
internal func free<Element: BitwiseCopyable, Control: ~Copyable>(
    _ elements: UnsafeMutablePointer<Element>, _ control: UnsafeMutablePointer<Control>
) {
    control.deinitialize(count: 1)
    control.deallocate()
    elements.deallocate()
}
