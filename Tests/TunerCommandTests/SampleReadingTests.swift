import Foundation
import TestCommands
import Testing

/// One row of samples/MANIFEST.md.
struct SampleRow: Sendable, CustomTestStringConvertible {
    let file: String
    let note: String
    let hertz: Double
    let steady: ClosedRange<Double>
    var testDescription: String { file }

    /// Every row of the manifest's table whose file is a FLAC.
    static let all: [SampleRow] = {
        let url = repository.appending(path: "samples/MANIFEST.md")
        guard let text = try? String(contentsOf: url, encoding: .utf8) else { return [] }
        return text.split(separator: "\n").compactMap { line in
            let cells = line.split(separator: "|").map { $0.trimmingCharacters(in: .whitespaces) }
            guard cells.count == 9, cells[0].hasSuffix(".flac"), let hertz = Double(cells[3]),
                let from = Double(cells[5]), let to = Double(cells[6])
            else { return nil }
            return SampleRow(file: cells[0], note: cells[2], hertz: hertz, steady: from...to)
        }
    }()
}

@Suite struct SampleReadingTests {
    @Test func `The manifest lists every sample`() throws {
        let folder = repository.appending(path: "samples").path()
        let files = try FileManager.default.contentsOfDirectory(atPath: folder).filter { $0.hasSuffix(".flac") }
        #expect(files.count >= 6)
        #expect(Set(files) == Set(SampleRow.all.map(\.file) + ["strum.flac"]))
    }

    @Test(arguments: SampleRow.all)
    func `Every steady reading has the right note and octave, and the median is within 3 cents of the truth`(
        _ row: SampleRow
    ) throws {
        let path = repository.appending(path: "samples/\(row.file)").path()
        let outcome = try BuiltCommand("tuner").run(["--json", path])
        #expect(outcome.status == 0, "\(outcome.errors)")
        var steady = 0
        var voiced: [(note: String, hertz: Double)] = []
        for line in outcome.lines {
            let object = try #require(try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any])
            guard let seconds = object["time_s"] as? Double, row.steady.contains(seconds) else { continue }
            steady += 1
            guard let note = object["note"] as? String, let octave = object["octave"] as? Int,
                let hertz = object["hz"] as? Double
            else { continue }
            voiced.append((note + String(octave), hertz))
        }
        // A reading every 256 samples at most, over 0.9 s.
        #expect(steady > 80, "the steady part is read at all")
        try #require(!voiced.isEmpty, "something is heard at all")
        let right = voiced.filter { $0.note == row.note }.count
        let median = voiced.map(\.hertz).sorted()[voiced.count / 2]
        let cents = 1_200 * log2(median / row.hertz)
        print(
            "\(row.file): \(right) of \(steady) steady readings are \(row.note);",
            String(format: "median %.4f Hz, %+.2f c from the truth", median, cents))
        #expect(right == steady)
        // 3 cents: what the offline methods differ by on the stiffest of these strings (period against partial 1).
        #expect(abs(cents) <= 3)
    }
}
