import ScorePages

extension FuzzTarget {
    /// MuseScore's positions of bars.
    static let positions = FuzzTarget(name: "positions", longest: 4_096) { bytes in
        guard let positions = try? MeasurePositions(readingXML: Array(bytes)) else { return }
        precondition(positions.order.allSatisfy { positions.bars.indices.contains($0.bar) })
        precondition(!positions.playingOrder.isEmpty)
        for page in 0...2 {
            for system in positions.systems(ofPage: page, size: .init(width: 595, height: 842)) {
                precondition((0...65_536).contains(system.x0) && (0...65_536).contains(system.y1))
            }
        }
    }

    /// The first bytes of a picture, and the picture where it is small.
    static let picture = FuzzTarget(name: "picture", longest: 4_096) { bytes in
        guard let header = ImageHeader(Array(bytes)) else { return }
        precondition(header.width > 0 && header.height > 0 && (1...8).contains(header.turn))
        guard header.width < 1_024, header.height < 1_024, let image = ImageDecoder().image(Array(bytes)) else {
            return
        }
        precondition(image.width == header.shownSize.width && image.height == header.shownSize.height)
        precondition(image.pixels.count == image.width * image.height)
    }

    /// A small page: its width, then its pixels.
    static let page = FuzzTarget(name: "page", longest: 4_096, comparesText: false) { bytes in
        guard let width = bytes.first.map(Int.init), width > 0 else { return }
        let height = (bytes.count - 1) / width
        let pixels = Array(bytes.dropFirst().prefix(width * height))
        guard let image = GrayImage(width: width, height: height, pixels: pixels) else { return }
        for system in BarDetector().systems(in: image) {
            precondition(system.x0 <= system.x1 && system.y0 <= system.y1 && system.staffCount > 0)
            precondition(system.bars.allSatisfy { $0.x0 <= $0.x1 })
        }
    }
}
