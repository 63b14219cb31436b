package import Transport

extension MetronomeScreen {
    /// The picture of a model beside the code of the address, where there is room for both and nobody has come yet.
    static func drawAccompanied(
        _ model: MetronomeModel, _ companion: CompanionStatus, on canvas: consuming Canvas
    ) -> Canvas {
        var canvas = canvas
        let width = companion.code.first?.count ?? 0
        let free = canvas.columns - width - 1
        let hasRoom = canvas.unicode && width > 0 && free >= fewestColumns && canvas.rows > companion.code.count
        if hasRoom, (companion.devices == 0) != model.togglesCode, !model.showsHelp {
            var screen = MetronomeScreen(
                model: model, canvas: Canvas(columns: free, rows: canvas.rows, unicode: canvas.unicode))
            screen.draw()
            canvas.place(screen.canvas)
            for (row, line) in companion.code.enumerated() {
                canvas.write(line, row: row + 1, column: free, ink: .paper)
            }
        } else {
            var screen = MetronomeScreen(model: model, canvas: canvas)
            screen.draw()
            canvas = screen.canvas
        }
        let text = companion.text
        let room = canvas.columns - displayWidth(of: model.title) - 4
        if !model.showsHelp, displayWidth(of: text) <= room { canvas.write(text, row: 0, endingAt: canvas.columns - 1) }
        return canvas
    }

    /// What the beats of a bar need.
    private static let fewestColumns = 40
}

extension CompanionStatus {
    /// `http://192.0.2.1:8462/?k=…  2 devices, clock ±0.4 ms`.
    package var text: String {
        let count = devices == 1 ? "1 device" : "\(devices) devices"
        let error = clockError.map { ", clock ±\(fixedPoint($0 * 1_000, decimals: 1)) ms" } ?? ""
        return "\(address)  \(count)\(error)"
    }
}

extension Canvas {
    /// Copies a picture that is as high into the left.
    mutating func place(_ other: Canvas) {
        for row in 0..<min(rows, other.rows) {
            for column in 0..<min(columns, other.columns) {
                cells[row * columns + column] = other.cells[row * other.columns + column]
            }
        }
    }
}
