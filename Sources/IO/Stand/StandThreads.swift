internal import NIOPosix

/// The threads that may wait, so that the event loop never does.
struct StandThreads: Sendable {
    /// For the store. One: what a device asks for takes effect in its order.
    let store = NIOThreadPool(numberOfThreads: 1)
    /// For the pieces of pictures.
    let pieces = NIOThreadPool(numberOfThreads: 1)
    /// For programs that draw pages, which take up to two minutes. Two run at a time: see `RenderQueue`.
    let drawing = NIOThreadPool(numberOfThreads: 2)
    /// For the folder of the scores: a thousand new ones take 20 s.
    let folder = NIOThreadPool(numberOfThreads: 1)

    private var all: [NIOThreadPool] { [store, pieces, drawing, folder] }

    init() { for pool in all { pool.start() } }

    /// Waits for what runs; what has not begun is left.
    func stop() { for pool in all { try? pool.syncShutdownGracefully() } }
}
