import Foundation
import TestCommands
import Testing

@testable import ScorePages

@Suite struct MeasurePositionsTests {
    /// Four bars in two systems and on two pages, of which the first two are repeated.
    private static let text = """
        <?xml version="1.0" encoding="UTF-8"?>
        <score>
          <elements>
            <element id="0" x="3600" y="7200" sx="3600" sy="1000" page="0"/>
            <element id="1" x="7200" y="7200" sx="1800" sy="1000" page="0"/>
            <element id="2" x="3600" y="14400" sx="7200" sy="1000" page="0"/>
            <element id="3" x="3600" y="7200" sx="7200" sy="1000" page="1"/>
          </elements>
          <events>
            <event elid="0" position="0"/><event elid="1" position="2000"/>
            <event elid="0" position="4000"/><event elid="1" position="6000"/>
            <event elid="2" position="8000"/><event elid="3" position="10000.5"/>
          </events>
        </score>
        """

    private func read(_ text: String) throws -> MeasurePositions { try MeasurePositions(readingXML: Array(text.utf8)) }

    @Test func `Bars have their boxes, and an order with repeats unrolled`() throws {
        let positions = try read(Self.text)
        #expect(positions.bars[1] == .init(page: 1, x0: 144, y0: 144, x1: 180, y1: 164), "3600 units are an inch")
        #expect(positions.order.map(\.bar) == [0, 1, 0, 1, 2, 3])
        #expect(positions.order.last?.milliseconds == 10_000.5)
        #expect(positions.playingOrder == "1-2 1-4")
        let systems = positions.systems(ofPage: 1, size: .init(width: 288, height: 576))
        #expect(systems.map { $0.bars.count } == [2, 1])
        #expect(systems[0].bars == [FoundBar(x0: 16_384, x1: 32_768), FoundBar(x0: 32_768, x1: 40_960)])
        #expect(systems[0].x0 == 16_384 && systems[0].y0 == 16_384 && systems[0].x1 == 40_960)
        #expect(positions.systems(ofPage: 2, size: .init(width: 288, height: 576)).count == 1)
        #expect(positions.systems(ofPage: 3, size: .init(width: 0, height: 0)).isEmpty)
    }

    @Test func `A file of MuseScore 3 is read`() throws {
        let url = try #require(
            Bundle.module.url(forResource: "musescore", withExtension: "mpos", subdirectory: "Fixtures"))
        let positions = try MeasurePositions(path: url.path())
        #expect(positions.bars.count == 24 && positions.playingOrder == "1-16 9-24")
    }

    @Test(arguments: [
        ("", ""), ("not XML", "Dear Sir"), ("no end", String(text.dropLast(20))), ("no bars", "<score/>"),
        ("an order of bars that are not there", text.replacing("elid=\"3\"", with: "elid=\"4\"")),
        ("back in time", text.replacing("\"10000.5\"", with: "\"10\"")),
        ("a number twice", text.replacing("id=\"2\"", with: "id=\"1\"")),
        ("no number", text.replacing("\"14400\"", with: "\"far\"")),
        ("not finite", text.replacing("\"14400\"", with: "\"nan\"")),
        ("too far", text.replacing("\"14400\"", with: "\"1e300\"")),
        ("a negative page", text.replacing("page=\"1\"", with: "page=\"-1\"")),
        (
            "a billion laughs",
            text.replacing(
                "<score>", with: "<!DOCTYPE s [<!ENTITY a \"haha\"><!ENTITY b \"&a;&a;&a;&a;&a;&a;&a;&a;\">]><score>&b;"
            )
        ),
    ])
    func `What is no such file is refused with a remedy`(_ name: String, _ text: String) {
        let error = #expect(throws: ScorePageError.self, "\(name)") { try read(text) }
        #expect(error?.remedy.contains("mscore3") == true)
    }

    @Test func `Elements a hundred thousand deep are no harm`() {
        let deep = String(repeating: "<a>", count: 100_000)
        #expect(throws: ScorePageError.self) { try read(deep) }
        // The file itself has three; 64 are read, as the parser holds each of them.
        func nested(_ depth: Int) -> String {
            let (open, close) = (String(repeating: "<a>", count: depth), String(repeating: "</a>", count: depth))
            return Self.text.replacing("<score>", with: "<score>" + open).replacing(
                "</score>", with: close + "</score>")
        }
        #expect(throws: Never.self) { try read(nested(61)) }
        #expect(throws: ScorePageError.self) { try read(nested(62)) }
    }

    @Test func `A file that is not there is named`() {
        let error = #expect(throws: ScorePageError.self) { try MeasurePositions(path: "/nonexistent/a.mpos") }
        #expect(error?.problem.contains("a.mpos") == true)
    }
}
