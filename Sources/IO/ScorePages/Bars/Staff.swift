/// Five lines on the upright page.
struct Staff {
    /// The middles of the five lines, from the top.
    let rows: [Double]
    /// The first and the last column of the lines.
    let left: Int, right: Int

    /// The distance between two lines in pixels, to which everything in music is in proportion.
    var space: Double { (bottom - top) / 4 }
    /// The upper line.
    var top: Double { rows.first ?? 0 }
    /// The lower line.
    var bottom: Double { rows.last ?? 0 }
}
