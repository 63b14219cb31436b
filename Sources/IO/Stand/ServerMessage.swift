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
        let scores: [ScoreName]
        let leftOut: LeftOutMessage
        let sets: [SetMessage]
        /// The score of what plays.
        let score: String?
        /// `nil` where nothing is kept of this device.
        let device: Device?
        let devices: Int
    }

    /// What is in the folder now.
    struct Scores: Encodable {
        let type = "scores"
        let scores: [ScoreName]
        let leftOut: LeftOutMessage
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

    struct Sets: Encodable {
        let type = "sets"
        let sets: [SetMessage]
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
    /// Its path in the folder, where others have the same title.
    package var file: String?
}

/// A set list with its entries.
struct SetMessage: Encodable {
    struct Entry: Encodable {
        let title: String
        /// `nil` where the folder has no score of it.
        let score: String?
        /// Of a song of a kept list.
        let id: String?
        let tempo: Double?

        init(_ title: String, score: String?, id: String? = nil, tempo: Double? = nil) {
            (self.title, self.score, self.id, self.tempo) = (title, score, id, tempo)
        }
    }

    /// `nil`: the list of the command line, which no device changes.
    let id: String?
    let name: String
    let entries: [Entry]
}
