import Music
import Notation
import TerminalUI
import TestPlans
import Testing
import Timebase
import Transport

@Suite struct CompanionScreenTests {
    private static let address = "http://192.168.123.254:8462/?k=XW7cX_oAXNsw8l2mnP8rKg"
    /// As large as the code of such an address, with two modules of paper around it.
    private static let code = [String](repeating: String(repeating: "▀", count: 33), count: 17)

    /// A display that has heard four beats, beside so many devices.
    private func model(
        devices: Int = 0, address: String = address, code: [String] = code, title: String = "120 --accent 4"
    ) throws -> MetronomeModel {
        var model = MetronomeModel(grid: try PlanGrid(try plan("120")))
        (model.title, model.sound, model.keys) = (title, "wood", [KeyHelp("q", "quit", "quit")])
        for (index, beat) in try beats(of: try plan("120"), limit: 4).enumerated() {
            model.hear(beat, at: Double(index) * 0.5)
        }
        var status = CompanionStatus()
        (status.address, status.code, status.devices) = (address, code, devices)
        status.clockError = devices > 0 ? 0.000_4 : nil
        model.companion = status
        return model
    }

    /// The picture's lines without what stands beside the code; the letters of all lines together.
    private func letters(_ text: String) -> String { text.filter { !$0.isWhitespace && $0 != "▀" } }

    @Test func `Until somebody has come, the whole address can be read at every width from 40 on`() throws {
        let model = try model()
        for columns in 40...250 {
            for (rows, unicode) in [(8, true), (8, false), (24, true), (24, false), (60, true)] {
                let canvas = MetronomeScreen.draw(model, columns: columns, rows: rows, unicode: unicode)
                let text = canvas.text
                #expect(letters(text).contains(Self.address), "\(columns) x \(rows)\n\(text)")
                #expect(text.contains("bar") && text.contains("BPM"), "the beat goes on\n\(text)")
            }
        }
    }

    @Test func `In a terminal of 24 lines the code is whole at every width, until somebody has come`() throws {
        let (before, after) = (try model(), try model(devices: 1))
        for columns in 40...250 {
            let text = MetronomeScreen.draw(before, columns: columns, rows: 24, unicode: true).text
            let found = text.split(separator: "\n").count { $0.contains(Self.code[0]) }
            #expect(found == Self.code.count, "\(columns)\n\(text)")
            let later = MetronomeScreen.draw(after, columns: columns, rows: 24, unicode: true).text
            #expect(!later.contains(Self.code[0]))
        }
    }

    @Test func `Where the code has no room beside the beats, the key brings it back in their place`() throws {
        var model = try model(devices: 2)
        model.togglesCode = true
        let text = MetronomeScreen.draw(model, columns: 40, rows: 24, unicode: true).text
        #expect(text.contains(Self.code[0]) && letters(text).contains(Self.address), "\(text)")
        #expect(!text.contains("█"), "no beats\n\(text)")
        model.togglesCode = false
        #expect(MetronomeScreen.draw(model, columns: 40, rows: 24, unicode: true).text.contains("█"))
    }

    @Test func `The key brings the whole address at every width from 40 on, whatever stands beside the title`() throws {
        for title in ["120", "120 --accent 4", "96.5 --meter 7/8 --accent 3"] {
            var model = try model(devices: 1, title: title)
            model.togglesCode = true
            for columns in 40...120 {
                let text = MetronomeScreen.draw(model, columns: columns, rows: 24, unicode: true).text
                #expect(letters(text).contains(Self.address), "\(columns)\n\(text)")
            }
        }
    }

    @Test func `Beside the title stands the longest text that has room`() throws {
        let model = try model(devices: 2)
        let first = { (columns: Int) in
            String(
                MetronomeScreen.draw(model, columns: columns, rows: 24, unicode: true).text
                    .split(separator: "\n", omittingEmptySubsequences: false)[0])
        }
        #expect(first(200).contains("\(Self.address)  2 devices, clock ±0.4 ms"))
        #expect(first(40).contains("2 devices") && !first(40).contains("http"))
        #expect(first(50).contains("2 devices, clock ±0.4 ms"))
        #expect(!first(18).contains("device"), "the title has what there is")
    }

    @Test func `An address that has room beside the title does not take the place of the beats`() throws {
        let model = try model(address: "http://localhost:8462/", code: [], title: "120")
        let text = MetronomeScreen.draw(model, columns: 40, rows: 24, unicode: true).text
        #expect(text.contains("http://localhost:8462/") && text.contains("█"), "\(text)")
    }

    @Test func `The smallest terminal there is gets what it has room for`() throws {
        for devices in 0...1 {
            let model = try model(devices: devices)
            for columns in 1...39 {
                for rows in 1...14 {
                    let canvas = MetronomeScreen.draw(model, columns: columns, rows: rows, unicode: true)
                    #expect(canvas.columns == columns && canvas.rows == rows)
                }
            }
        }
    }
}
