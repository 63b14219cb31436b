internal import FoundationEssentials
internal import NIOCore

/// What the server sends, apart from the course, scores and marks, which have files of their own.
enum ServerMessage {
    struct Welcome: Encodable {
        struct Device: Encodable { let light: Double, felt: Double }
        let type = "welcome"
        let server: String
        let readOnly: Bool
        let program: String
        let title: String
        let scores: [ScoreName]
        let sets: [SetMessage]
        let entry: Int
        let sections: [String]
        let device: Device
        let devices: Int
    }

    struct Done: Encodable {
        let type = "done"
        let id: String
    }

    struct Refused: Encodable {
        let type = "refused"
        let id: String
        let problem: String, remedy: String
    }

    struct Failure: Encodable {
        let type = "error"
        let problem: String, remedy: String
    }

    struct Devices: Encodable {
        let type = "devices"
        let count: Int
        let clockErrorMs: Double
    }

    struct Entry: Encodable {
        let type = "entry"
        let index: Int
        let score: String?
    }

    /// A message as the text of a frame.
    static func text(_ message: some Encodable) -> ByteBuffer {
        let encoder = JSONEncoder()
        encoder.outputFormatting = .withoutEscapingSlashes
        // What is encoded here has neither an infinite number nor a key of its own.
        guard let data = try? encoder.encode(message) else { return ByteBuffer(string: "{}") }
        return ByteBuffer(bytes: data)
    }

    /// The answer to a ping, in one piece: `s` is read last.
    static func pong(_ id: Int64, received: Int64, clock: StandClock) -> ByteBuffer {
        var buffer = ByteBuffer(string: "{\"type\":\"pong\",\"id\":\(id),\"r\":\(received),\"s\":")
        buffer.writeString("\(clock.now)}")
        return buffer
    }
}

/// A score in the list of all.
package struct ScoreName: Encodable, Sendable, Equatable {
    package let id: String, title: String
    package let pages: Int
}

/// A set list with its entries.
struct SetMessage: Encodable {
    struct Entry: Encodable {
        let title: String
        /// `nil` where no score has the entry's name.
        let score: String?
    }

    let name: String
    let entries: [Entry]
}
