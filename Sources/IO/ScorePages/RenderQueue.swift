internal import Glibc

/// Lets two pages be drawn at a time, and none of them twice.
final class RenderQueue: @unchecked Sendable {
    /// Two: the page that is looked at and the next one. More would take the processor from the sound.
    private static let most = 2
    // Everything below is used between `lock` and `unlock`.
    private var running: Set<String> = []
    private let mutex = UnsafeMutablePointer<pthread_mutex_t>.allocate(capacity: 1)
    private let ended = UnsafeMutablePointer<pthread_cond_t>.allocate(capacity: 1)

    init() {
        mutex.initialize(to: pthread_mutex_t())
        ended.initialize(to: pthread_cond_t())
        pthread_mutex_init(mutex, nil)
        pthread_cond_init(ended, nil)
    }

    deinit {
        pthread_cond_destroy(ended)
        pthread_mutex_destroy(mutex)
        ended.deallocate()
        mutex.deallocate()
    }

    /// Waits until fewer than two others run and none of the same name, then runs `body`. Blocks its thread.
    func run<Result>(_ name: String, _ body: () throws(ScorePageError) -> Result) throws(ScorePageError) -> Result {
        pthread_mutex_lock(mutex)
        while running.count >= Self.most || running.contains(name) { pthread_cond_wait(ended, mutex) }
        running.insert(name)
        pthread_mutex_unlock(mutex)
        defer {
            pthread_mutex_lock(mutex)
            running.remove(name)
            pthread_cond_broadcast(ended)
            pthread_mutex_unlock(mutex)
        }
        return try body()
    }
}
