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
