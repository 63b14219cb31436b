internal import ScorePages

/// Where the bars of a score are.
extension ScoreShelf {
    /// The pages that nobody has looked at yet.
    func unseenPages(of id: String) throws -> [Int] {
        guard let (_, entry) = entry(id) else { return [] }
        let pages = try store.systems(of: id, pages: entry.document.pageSizes.count)
        return pages.indices.filter { pages[$0] == nil }.map { $0 + 1 }
    }

    /// Finds the bars of a page, from MuseScore's file beside the score or by looking at the page, and keeps them. False where
    /// the file is another one now.
    @discardableResult
    func findBars(ofPage page: Int, of id: String) throws -> Bool {
        guard let (path, entry) = current(id) else { return false }
        let (found, origin, order) = try systems(ofPage: page, of: entry.document, path)
        let systems = found.map { system in
            PageBars.System(
                x0: system.x0, y0: system.y0, x1: system.x1, y1: system.y1, staves: system.staffCount,
                bars: system.bars.map { PageBars.Bar(x0: $0.x0, x1: $0.x1, origin: origin) })
        }
        try store.keep(
            PageBars(score: id, page: page, systems: systems, accepted: nil),
            doubtful: Set(found.indices.filter { found[$0].isDoubtful }))
        if let order { try store.keep(order: order, firstBar: nil, of: id) }
        return true
    }

    private func systems(
        ofPage page: Int, of document: ScoreDocument, _ path: String
    ) throws -> ([FoundSystem], PageBars.Bar.Origin, order: String?) {
        if let places = positions(beside: path) {
            return (
                places.systems(ofPage: page, size: document.pageSizes[page - 1]), .mpos,
                page == 1 ? places.playingOrder : nil
            )
        }
        return (BarDetector().systems(in: try renderer.grayImage(ofPage: page, of: document)), .found, nil)
    }

    /// MuseScore's positions of the measures of a PDF, in a file beside it. They are in points, of which a picture has none.
    private func positions(beside path: String) -> MeasurePositions? {
        guard let point = path.lastIndex(of: "."), path[point...].lowercased() == ".pdf",
            let real = try? PageRenderer.path(path[...point] + "mpos", inside: folder)
        else { return nil }
        return try? MeasurePositions(path: real)
    }
}
