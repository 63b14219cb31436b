import Foundation
import Transport

@testable import Stand

/// A server on a free port of this machine, with a store and scores of its own.
final class TestStand {
    let server: StandServer
    let queue: TransportQueue
    let store: StandStore
    let folder: URL

    init(_ change: (inout StandOptions) -> Void = { _ in }) throws {
        folder = FileManager.default.temporaryDirectory.appending(path: "stand-\(UUID().uuidString)")
        let scores = folder.appending(path: "scores")
        try FileManager.default.createDirectory(at: scores, withIntermediateDirectories: true)
        var options = StandOptions()
        options.port = 0
        change(&options)
        store = try StandStore(path: folder.appending(path: "stand.sqlite").path())
        queue = try TransportQueue()
        let shelf = try ScoreShelf(
            folder: scores.path(), store: store, cache: folder.appending(path: "cache").path())
        server = try StandServer(options, shelf: shelf, queue: queue)
    }

    deinit {
        server.stop()
        try? FileManager.default.removeItem(at: folder)
    }

    func client(receiveBuffer: Int32? = nil) throws -> StandClient {
        try StandClient(port: server.port, receiveBuffer: receiveBuffer)
    }

    /// A device that has been welcomed.
    func device(_ identity: String = String(repeating: "0", count: 32)) throws -> StandClient {
        let client = try client()
        client.upgrade()
        client.hello(identity)
        _ = client.message("welcome")
        return client
    }
}
