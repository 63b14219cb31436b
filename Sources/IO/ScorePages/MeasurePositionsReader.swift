/// Collects the bars and the playing order of a `.mpos` file, element by element.
final class MeasurePositionsReader {
    /// MuseScore writes pixels of its PNG export times 12, and that has 300 dots per inch unless the user changes it.
    private static let unitsPerPoint = 300.0 * 12 / 72
    /// As many as SmallFile.limit bytes could hold anyway.
    private static let mostTurns = 1 << 20

    private(set) var bars: [MeasurePositions.Box] = []
    private(set) var order: [MeasurePositions.Turn] = []
    /// Whether every bar and every turn has made sense.
    private(set) var isSound = true

    /// Takes in an element; false where the file makes no sense any more.
    func add(_ name: String, _ attributes: [String: String]) -> Bool {
        switch name {
        case "element": isSound = isSound && addBar(attributes)
        case "event": isSound = isSound && addTurn(attributes)
        default: break
        }
        return isSound
    }

    private func addBar(_ attributes: [String: String]) -> Bool {
        func number(_ name: String) -> Double? {
            // A page of ten metres has two million units.
            attributes[name].flatMap { Double($0) }.flatMap { abs($0) < 2e6 ? $0 / Self.unitsPerPoint : nil }
        }
        // The order names bars by these numbers.
        guard attributes["id"] == "\(bars.count)", let page = attributes["page"].flatMap({ Int($0) }),
            (0..<10_000).contains(page), let x = number("x"), let y = number("y"), let width = number("sx"),
            let height = number("sy"), width >= 0, height >= 0
        else { return false }
        bars.append(MeasurePositions.Box(page: page + 1, x0: x, y0: y, x1: x + width, y1: y + height))
        return true
    }

    private func addTurn(_ attributes: [String: String]) -> Bool {
        guard let bar = attributes["elid"].flatMap({ Int($0) }), bars.indices.contains(bar),
            let position = attributes["position"].flatMap({ Double($0) }), position.isFinite,
            position >= order.last?.milliseconds ?? 0, order.count < Self.mostTurns
        else { return false }
        order.append(MeasurePositions.Turn(bar: bar, milliseconds: position))
        return true
    }
}
