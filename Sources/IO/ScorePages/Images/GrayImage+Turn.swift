extension GrayImage {
    /// The picture turned upright by the value of Exif: 3 is upside down, 6 and 8 lie on a side, even ones are mirrored but for
    /// those.
    func turned(by turn: ImageHeader.Turn) -> GrayImage {
        guard (2...8).contains(turn) else { return self }
        let isAcross = turn >= 5
        let (newWidth, newHeight) = isAcross ? (height, width) : (width, height)
        // Where the first row and the first column of the stored picture are shown.
        let isFromRight = [2, 3, 7, 8].contains(turn), isFromBottom = [3, 4, 6, 7].contains(turn)
        return GrayImage(width: newWidth, height: newHeight) { y, row in
            for x in 0..<newWidth {
                let (along, down) = isAcross ? (y, x) : (x, y)
                let column = isFromRight ? width - 1 - along : along
                let line = isFromBottom ? height - 1 - down : down
                row[x] = pixels[line * width + column]
            }
        }
    }
}
