internal import Intonation
internal import Music
internal import TerminalUI

extension TakePlot {
    func drawSpectrogram(on svg: inout SVG) {
        guard let picture = spectrogram, picture.columns > 0, picture.rows > 0 else { return }
        let (left, top, bottom) = (TakeLayout.left, layout.spectrogramTop, layout.spectrogramBottom)
        let (width, height) = (TakeLayout.right - left, bottom - top)
        // The units are cells, so that neighbors meet exactly.
        let scale = [width / Double(picture.columns), height / Double(picture.rows)].map { fixedPoint($0, decimals: 6) }
        svg.append(
            "<g transform=\"translate(\(SVG.number(left)) \(SVG.number(top))) "
                + "scale(\(scale[0]) \(scale[1]))\" shape-rendering=\"crispEdges\">")
        for shade in 1...Self.shades {
            let path = Self.path(of: shade, in: picture)
            guard !path.isEmpty else { continue }
            let grey = 245 - shade * 19
            svg.append("<path d=\"\(path)\" fill=\"rgb(\(grey),\(min(255, grey + 6)),\(min(255, grey + 14)))\"/>")
        }
        svg.append("</g>")
        for octave in 0...9 {
            let note = Note(midi: 12 * (octave + 1))
            guard picture.pitches.contains(Double(note.midi)) else { continue }
            let range = picture.pitches.upperBound - picture.pitches.lowerBound
            let place = bottom - height * (Double(note.midi) - picture.pitches.lowerBound) / range
            svg.rule(left - 4, place, left, place, SVG.quiet)
            let name = take.finder.naming.name(of: note)
            svg.label(name, left - 8, place + 4, anchor: "end", color: SVG.quiet)
        }
        svg.label("spectrogram: each shade 6 dB", left, top - 6, color: SVG.quiet)
        drawTimeAxis(bottom, row: nil, on: &svg)
    }

    /// Twelve shades of 6 dB: 72 dB below the loudest is white.
    private static let shades = 12

    /// The runs of cells of one shade, as one path.
    private static func path(of shade: Int, in picture: SpectrogramPicture) -> String {
        var path = ""
        for row in 0..<picture.rows {
            let levels = picture.levels[row * picture.columns..<(row + 1) * picture.columns]
            let cells = levels.map { max(0, min(shades, Int((Double($0) + 72) / 6 + 1))) == shade }
            var column = 0
            while let start = cells[column...].firstIndex(of: true) {
                column = cells[start...].firstIndex(of: false) ?? cells.count
                path += "M\(start) \(picture.rows - 1 - row)h\(column - start)v1h\(start - column)z"
            }
        }
        return path
    }
}
