/// What a player changes in a set list. Ids are chosen by the device, so that a message which is sent twice has one effect.
package struct SetListChange: Decodable, Sendable, Equatable {
    package enum Action: Sendable, Equatable {
        /// Makes the list, or gives it another name.
        case name(String)
        case remove
        case add(song: String, score: String)
        /// After another song of the list; `nil`: to its beginning.
        case move(song: String, after: String?)
        case tempo(song: String, Double?)
        case drop(song: String)
    }

    package let set: String
    package let action: Action
    /// Of the change; a device that gives one is told when it is kept.
    package var id: String?

    /// As a browser counts the characters of a field, in UTF-16: one of what a person sees can have any number of them.
    private static let longestName = 80
    /// Beats a minute, as the page has them.
    private static let tempi = 1.0...1_000

    package init(_ set: String, _ action: Action) { (self.set, self.action) = (set, action) }

    private enum Key: String, CodingKey { case id, set, name, song, score, after, tempo, `do` }

    package init(from decoder: any Decoder) throws {
        let values = try decoder.container(keyedBy: Key.self)
        func identity(_ key: Key) throws -> String {
            let text = try values.decode(String.self, forKey: key)
            guard PageRequest.isIdentity(text) else { throw Self.wrong(values, key) }
            return text
        }
        set = try identity(.set)
        id = try values.contains(.id) ? identity(.id) : nil
        switch try values.decode(String.self, forKey: .do) {
        case "name":
            let name = try values.decode(String.self, forKey: .name)
            guard !name.isEmpty, name.utf16.count <= Self.longestName else { throw Self.wrong(values, .name) }
            action = .name(name)
        case "remove": action = .remove
        case "add": action = .add(song: try identity(.song), score: try identity(.score))
        case "move":
            let isFirst = try values.decodeIfPresent(String.self, forKey: .after) == nil
            action = .move(song: try identity(.song), after: isFirst ? nil : try identity(.after))
        case "tempo":
            let tempo = try values.decodeIfPresent(Double.self, forKey: .tempo)
            guard tempo.map(Self.tempi.contains) ?? true else { throw Self.wrong(values, .tempo) }
            action = .tempo(song: try identity(.song), tempo)
        case "drop": action = .drop(song: try identity(.song))
        default: throw Self.wrong(values, .do)
        }
    }

    private static func wrong(_ values: KeyedDecodingContainer<Key>, _ key: Key) -> DecodingError {
        .dataCorruptedError(forKey: key, in: values, debugDescription: "out of range")
    }
}
