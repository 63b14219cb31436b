public import CRealtime

/// Treats denormal numbers as zero on this thread while it exists.
///
/// Arithmetic on numbers below 1e-38, which a decaying tail reaches, can take a hundred times as long as usual. Create one
/// guard in the function that the audio thread calls.
@frozen @usableFromInline
package struct DenormalGuard: ~Copyable {
    @usableFromInline internal let before: UInt64

    /// Turns flush-to-zero on for the calling thread.
    @inlinable @_noLocks package init() { before = rt_denormals_flush() }

    @inlinable deinit { rt_denormals_restore(before) }
}
