internal import Platform

/// Where the bars of a score are and in which order they are played, as MuseScore writes it by
/// `mscore3 -o score.mpos score.mscz`.
///
/// ```xml
/// <score><elements><element id="0" x="1984.25" y="2395" sx="7105.1" sy="2790" page="0"/></elements>
/// <events><event elid="0" position="0"/></events></score>
/// ```
package struct MeasurePositions: Sendable, Hashable {
    /// The box of a bar on its page.
    package struct Box: Sendable, Hashable {
        /// 1 for the first.
        package let page: Int
        /// In points (1/72 inch) from the upper left corner.
        package let x0: Double, y0: Double, x1: Double, y1: Double
    }

    /// A bar at its turn.
    package struct Turn: Sendable, Hashable {
        /// The index of its box in `bars`.
        package let bar: Int
        /// When it begins, in milliseconds from the beginning of the piece at the tempo of the score.
        package let milliseconds: Double
    }

    /// In the order of the score.
    package let bars: [Box]
    /// In the order of playing, with repeats unrolled.
    package let order: [Turn]

    /// Reads a `.mpos` file.
    package init(path: String) throws(ScorePageError) {
        let bytes: [UInt8]
        do {
            bytes = try SmallFile.read(path, kind: "an .mpos file", mayBePipe: false)
        } catch {
            throw ScorePageError(problem: error.problem, remedy: error.remedy)
        }
        do {
            try self.init(readingXML: bytes)
        } catch {
            throw ScorePageError(problem: "\"\(path)\": \(error.problem)", remedy: error.remedy)
        }
    }

    /// Reads the content of a `.mpos` file.
    package init(readingXML bytes: [UInt8]) throws(ScorePageError) {
        let reader = MeasurePositionsReader()
        let isRead = XMLElements.read(bytes) { reader.add($0, $1) }
        guard isRead, reader.isSound, !reader.bars.isEmpty, !reader.order.isEmpty else {
            throw ScorePageError(
                problem: isRead ? "it holds no bars of MuseScore" : "it is no XML, or a damaged file",
                remedy: "write it by `mscore3 -o score.mpos score.mscz`")
        }
        (bars, order) = (reader.bars, reader.order)
    }

    /// The playing order as ranges of bars, from 1: `1-8 1-7 9-16`.
    package var playingOrder: String {
        var ranges: [ClosedRange<Int>] = []
        for bar in order.map({ $0.bar + 1 }) {
            if let last = ranges.last, last.upperBound + 1 == bar {
                ranges[ranges.count - 1] = last.lowerBound...bar
            } else {
                ranges.append(bar...bar)
            }
        }
        return ranges.map { $0.count == 1 ? "\($0.lowerBound)" : "\($0.lowerBound)-\($0.upperBound)" }
            .joined(separator: " ")
    }

    /// The systems of a page (1 for the first): bars of one height that follow each other. The number of staves is not known
    /// here; it is 1.
    package func systems(ofPage page: Int, size: ScoreDocument.PageSize) -> [FoundSystem] {
        func part(_ place: Double, of side: Double) -> Int {
            let share = side > 0 ? (place / side * 65_536).rounded() : 0
            return Int(min(65_536, max(0, share)))
        }
        var rows: [[Box]] = []
        for box in bars where box.page == page {
            if let last = rows.last?.last, last.y0 == box.y0, last.x0 < box.x0 {
                rows[rows.count - 1].append(box)
            } else {
                rows.append([box])
            }
        }
        return rows.map { row in
            let bars = row.map { FoundBar(x0: part($0.x0, of: size.width), x1: part($0.x1, of: size.width)) }
            let top = row.map(\.y0).min() ?? 0, bottom = row.map(\.y1).max() ?? 0
            return FoundSystem(
                x0: bars.first?.x0 ?? 0, y0: part(top, of: size.height), x1: bars.last?.x1 ?? 0,
                y1: part(bottom, of: size.height), staffCount: 1, bars: bars, isDoubtful: false)
        }
    }
}
