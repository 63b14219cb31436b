internal import Glibc
internal import Platform

/// Lets two pages be drawn at a time, and none of them twice.
///
/// What has failed is not tried again for half a minute: a page that takes all the time it may would otherwise keep two cores busy
/// for as long as somebody asks for it.
final class RenderQueue: @unchecked Sendable {
    /// Two: the page that is looked at and the next one. More would take the processor from the sound.
    private static let most = 2
    private let patience: Duration
    // Both are used between `lock` and `unlock`.
    private var running: Set<String> = []
    private var failures: [String: (error: ScorePageError, time: MonotonicTime)] = [:]
    private let mutex = UnsafeMutablePointer<pthread_mutex_t>.allocate(capacity: 1)
    private let ended = UnsafeMutablePointer<pthread_cond_t>.allocate(capacity: 1)

    init(patience: Duration = .seconds(30)) {
        self.patience = patience
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
        let now = MonotonicTime.now()
        failures = failures.filter { now - $0.value.time < patience }
        let failure = failures[name]
        if failure == nil { running.insert(name) }
        pthread_mutex_unlock(mutex)
        if let failure { throw failure.error }
        do {
            let result = try body()
            end(name, nil)
            return result
        } catch {
            end(name, error)
            throw error
        }
    }

    private func end(_ name: String, _ error: ScorePageError?) {
        pthread_mutex_lock(mutex)
        running.remove(name)
        failures[name] = error.map { ($0, MonotonicTime.now()) }
        pthread_cond_broadcast(ended)
        pthread_mutex_unlock(mutex)
    }
}
