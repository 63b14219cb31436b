internal import Transport

extension MetronomeScreen {
    /// The picture of a model and the address of its companion, with the code of the address until somebody has come: beside
    /// the beats where there is room for both, in their place where there is not.
    static func drawAccompanied(
        _ model: MetronomeModel, _ companion: CompanionStatus, on canvas: consuming Canvas
    ) -> Canvas {
        var canvas = canvas
        let isWanted = (companion.devices == 0) != model.togglesCode && !model.showsHelp
        let width = companion.code.first?.count ?? 0
        let free = canvas.columns - width - 1
        let room = canvas.columns - displayWidth(of: model.title) - 4
        // Whoever asks for the code may have no camera to read it with.
        let texts = (isWanted ? companion.texts.filter { $0.contains(companion.address) } : []) + companion.texts
        let text = texts.first { displayWidth(of: $0) <= room }
        let isSeen = text?.contains(companion.address) ?? false
        let isBeside = canvas.unicode && width > 0 && free >= fewestColumns && canvas.rows > companion.code.count
        if isWanted, isBeside, isSeen {
            var screen = MetronomeScreen(
                model: model, canvas: Canvas(columns: free, rows: canvas.rows, unicode: canvas.unicode))
            screen.draw()
            canvas.place(screen.canvas)
            canvas.write(companion.code, top: 1, column: free)
        } else {
            var screen = MetronomeScreen(model: model, canvas: canvas)
            if !isWanted || !screen.drawInstead(companion, isSeen: isSeen) { screen.draw() }
            canvas = screen.canvas
        }
        if !model.showsHelp, let text {
            canvas.write(text, row: 0, endingAt: canvas.columns - 1)
        }
        return canvas
    }

    /// Draws the address and its code in place of the beats; whether they have room.
    ///
    /// - Parameter isSeen: whether the address stands elsewhere: then it is left out, and nothing is drawn without the code.
    private mutating func drawInstead(_ companion: CompanionStatus, isSeen: Bool) -> Bool {
        let width = max(1, canvas.columns - 2)
        let address = isSeen ? [] : lines(of: companion.address, width: width)
        let (code, last) = (companion.code, canvas.rows - 5)
        guard address.count <= last else { return false }
        let hasCode = canvas.unicode && !code.isEmpty && code[0].count <= width && address.count + code.count <= last
        guard hasCode || !isSeen else { return false }
        canvas.write(fitted(model.title, width), row: 0, column: 1, ink: .dim)
        for (row, line) in address.enumerated() { canvas.write(line, row: row + 1, column: 1) }
        if hasCode { canvas.write(code, top: address.count + 1, column: (canvas.columns - code[0].count) / 2) }
        drawReadout(row: canvas.rows - 4)
        drawPlace(row: canvas.rows - 3)
        drawStatus(row: canvas.rows - 2)
        drawFooter(row: canvas.rows - 1)
        return true
    }

    /// A text without spaces, cut where a line is full.
    private func lines(of text: String, width: Int) -> [String] {
        var (rest, lines) = (text[...], [String]())
        while !rest.isEmpty {
            lines.append(String(rest.prefix(width)))
            rest = rest.dropFirst(width)
        }
        return lines
    }

    /// What the beats of a bar need.
    private static let fewestColumns = 40
}

extension CompanionStatus {
    /// What stands beside the title, the longest first: `http://192.0.2.1:8462/?k=…  2 devices, clock ±0.4 ms`.
    fileprivate var texts: [String] {
        let count = devices == 1 ? "1 device" : "\(devices) devices"
        let quality = clockError.map { "±\(fixedPoint($0 * 1_000, decimals: 1)) ms" }
        let (error, short) = (quality.map { ", clock \($0)" } ?? "", quality.map { ", \($0)" } ?? "")
        // How many have come says more than where nobody else has to look.
        return ["\(address)  \(count)\(error)", "\(address)  \(count)"]
            + (devices == 0 ? [address, count] : [count + error, count + short, count, address])
    }
}

extension Canvas {
    /// Writes a code: dark on light, whatever the terminal's colours are.
    fileprivate mutating func write(_ code: [String], top: Int, column: Int) {
        for (row, line) in code.enumerated() { write(line, row: top + row, column: column, ink: .paper) }
    }

    /// Copies a picture that is as high into the left.
    fileprivate mutating func place(_ other: Canvas) {
        for row in 0..<min(rows, other.rows) {
            for column in 0..<min(columns, other.columns) {
                cells[row * columns + column] = other.cells[row * other.columns + column]
            }
        }
    }
}
