/// A score as it travels.
struct ScoreMessage: Encodable, Sendable {
    struct Page: Encodable, Sendable { let width: Int, height: Int }

    struct System: Encodable, Sendable {
        let page: Int
        let x0: Int, y0: Int, x1: Int, y1: Int
        let staves: Int
        let bars: [PageBars.Bar]
    }

    let type = "score"
    let id: String, title: String
    let pages: [Page]
    let systems: [System]
    let order: String
    let first: Int
    let accepted: Bool
    /// The systems that a player should look at, by their places in `systems`.
    let doubts: [Int]
}

extension ScoreMessage {
    /// What a page of any unit is multiplied by: its sides are whole numbers then, to a thousandth of a page.
    private static let scale = 4.0

    init(_ score: StoredScore, _ stored: [StoredSystem], sizes: [(width: Double, height: Double)]) {
        (id, title, order, first) = (score.id, score.title, score.order, score.firstBar)
        accepted = score.isAccepted
        pages = sizes.map {
            Page(width: Int(($0.width * Self.scale).rounded()), height: Int(($0.height * Self.scale).rounded()))
        }
        systems = stored.map {
            System(
                page: $0.page, x0: $0.system.x0, y0: $0.system.y0, x1: $0.system.x1, y1: $0.system.y1,
                staves: $0.system.staves, bars: $0.system.bars)
        }
        doubts = stored.indices.filter { stored[$0].isDoubtful }
    }
}
