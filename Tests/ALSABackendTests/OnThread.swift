import Dispatch
import Foundation

/// Runs a test's body, which mostly waits for real time to pass, on a thread of its own: the few threads that tests
/// share stay free for others.
///
/// - Parameter places: how many such bodies may run at once.
func onThread<Result: Sendable>(
    _ places: DispatchSemaphore? = nil, _ body: @escaping @Sendable () throws -> Result
) async throws -> Result {
    try await withCheckedThrowingContinuation { continuation in
        Thread.detachNewThread {
            places?.wait()
            defer { places?.signal() }
            continuation.resume(with: Swift.Result { try body() })
        }
    }
}
