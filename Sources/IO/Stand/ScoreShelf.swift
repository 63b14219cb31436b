/// The scores of a folder. Its methods wait for disks and programs: they run on the workers of the server.
final class ScoreShelf: Sendable {
    let store: StandStore

    init(store: StandStore) { self.store = store }

    /// The scores that are there now.
    func names() throws -> [ScoreName] { [] }

    /// A score with its bars; `nil` if there is none with this id.
    func score(_ id: String) throws -> ScoreMessage? { nil }

    /// A picture of a page; `nil` if there is no such page.
    func picture(of request: PageRequest) throws -> ServedPicture? { nil }
}
