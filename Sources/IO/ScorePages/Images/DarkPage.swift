extension GrayImage {
    /// The page for a dark stage: light notes on a dark page, softer than black and white, which would glare.
    var dark: GrayImage {
        // The contrast is 12 to 1; WCAG 2.2 asks for 7 where much is read.
        let (ink, paper) = (222, 24)
        let tones = (0...255).map { UInt8(ink - $0 * (ink - paper) / 255) }
        return GrayImage(width: width, height: height) { y, row in
            for x in 0..<width { row[x] = tones[Int(pixels[y * width + x])] }
        }
    }
}
