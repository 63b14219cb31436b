internal import FoundationEssentials
internal import Music
internal import Transport

/// A message of a device, as it arrives.
package enum DeviceMessage: Sendable, Equatable {
    case hello(Hello)
    case ping(Int64)
    case command(Command)
    case marks(Marks)
    case bars(PageBars)
    case order(Order)
    case device(Sliders)
    case open(score: String)
    case setList(SetListChange)
    case song(String)
    /// Whoever opens the list of the scores wants to see what was put into the folder since.
    case scores

    /// What is kept of a device's name, in UTF-16.
    static let longestName = 60

    package struct Hello: Decodable, Sendable, Equatable {
        package let device: String
        package let name: String
        package let since: Int64?
    }

    package struct Command: Decodable, Sendable, Equatable {
        package let id: String
        package let `do`: String
        package let when: String?
        package let at: Double?
        package let value: Value?
    }

    /// A number or a text.
    package enum Value: Decodable, Sendable, Equatable {
        case number(Double)
        case text(String)

        package init(from decoder: any Decoder) throws {
            let container = try decoder.singleValueContainer()
            if let number = try? container.decode(Double.self) {
                self = .number(number)
            } else {
                self = .text(try container.decode(String.self))
            }
        }
    }

    package struct Sliders: Decodable, Sendable, Equatable {
        package let name: String?
        package let light: Double?, felt: Double?
    }

    package struct Order: Decodable, Sendable, Equatable {
        package let score: String, text: String
        package let first: Int?
        /// Of the change; a device that gives one is told when it is kept.
        package var id: String? = nil
    }

    private struct Kind: Decodable { let type: String }
    private struct Ping: Decodable { let id: Int64 }
    private struct Open: Decodable { let score: String }
    private struct Song: Decodable { let id: String }

    /// Reads a message; `nil` for what is none, of which a device that speaks the protocol sends none.
    package init?(decoding bytes: [UInt8]) {
        let (decoder, data) = (JSONDecoder(), Data(bytes))
        guard let kind = try? decoder.decode(Kind.self, from: data) else { return nil }
        func read<Body: Decodable>(_ type: Body.Type) -> Body? { try? decoder.decode(type, from: data) }
        let message: Self? =
            switch kind.type {
            case "hello": read(Hello.self).map(Self.hello)
            case "ping": read(Ping.self).map { .ping($0.id) }
            case "command": read(Command.self).map(Self.command)
            case "marks": read(Marks.self).map(Self.marks)
            case "bars": read(PageBars.self).map(Self.bars)
            case "order": read(Order.self).map(Self.order)
            case "device": read(Sliders.self).map(Self.device)
            case "open": read(Open.self).map { .open(score: $0.score) }
            case "setlist": read(SetListChange.self).map(Self.setList)
            case "song": read(Song.self).map { .song($0.id) }
            case "scores": .scores
            default: nil
            }
        guard let message else { return nil }
        self = message
    }
}

extension DeviceMessage.Command {
    /// The command in the metronome's words, or what is wrong with it.
    func action() -> Result<TransportCommand.Action, RefusedMessage> {
        switch (self.do, value) {
        case ("start", _): .success(.start)
        case ("stop", _): .success(.stop)
        case ("toggle", _): .success(.toggle)
        case ("tap", _): .success(.tap)
        case ("tempo", .number(let tempo)?) where tempo.isFinite && tempo > 0: .success(.tempo(tempo))
        case ("jump", .number(let bar)?) where abs(bar) < 1e9: .success(.jump(bar: Int64(bar)))
        case ("section", .text(let label)?): .success(.section(label))
        case ("entry", .number(let index)?) where index >= 0 && index < 1e6: .success(.entry(Int(index)))
        default:
            .failure(RefusedMessage(problem: "there is no such command", remedy: "reload the page"))
        }
    }
}

extension String {
    /// As many whole characters as there is room for, in UTF-16.
    func shortened(to length: Int) -> String {
        var room = length
        return String(
            prefix { character in
                room -= character.utf16.count
                return room >= 0
            })
    }
}

/// Why a message has no effect.
struct RefusedMessage: ExplainedError {
    let problem: String, remedy: String

    static let readOnly = RefusedMessage(
        problem: "this music stand only shows", remedy: "start it without --read-only to change something")
}
