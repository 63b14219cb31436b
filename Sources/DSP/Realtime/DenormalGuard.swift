public import CRealtime

/// Numbers too small to be normal, treated as zero on this thread while the guard lives.
///
/// A decaying tail that reaches 1e-38 can cost a hundred times the usual time per sample. Put one guard at the top of
/// the audio thread's root.
@frozen @usableFromInline
package struct DenormalGuard: ~Copyable {
    @usableFromInline internal let before: UInt64

    /// Turns flush-to-zero on for the calling thread.
    @inlinable @_noLocks package init() { before = rt_denormals_flush() }

    @inlinable deinit { rt_denormals_restore(before) }
}
