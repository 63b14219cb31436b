/// Two fits at fixed places: one for trials and the short window, one for the long window.
struct HarmonicFits: ~Copyable, @unchecked Sendable {
    private let memory: UnsafeMutablePointer<HarmonicFit>

    init() {
        memory = UnsafeMutablePointer<HarmonicFit>.allocate(capacity: 2)
        memory.initialize(to: HarmonicFit())
        (memory + 1).initialize(to: HarmonicFit())
    }

    deinit {
        memory.deinitialize(count: 2)
        memory.deallocate()
    }

    /// For trials and the short window.
    var short: UnsafeMutablePointer<HarmonicFit> { @_noLocks get { memory } }
    /// For the long window.
    var long: UnsafeMutablePointer<HarmonicFit> { @_noLocks get { memory + 1 } }
}
