/// A system that has been found on a page: staves that are played together, and the bars in it.
///
/// Places are in 1/65536 of the page's width and height.
package struct FoundSystem: Sendable, Hashable {
    /// A bar, from one bar line to the next.
    package struct Bar: Sendable, Hashable {
        package let x0: Int, x1: Int

        package init(x0: Int, x1: Int) { (self.x0, self.x1) = (x0, x1) }
    }

    package let x0: Int, y0: Int, x1: Int, y1: Int
    package let staffCount: Int
    /// From left to right.
    package let bars: [Bar]
    /// No bars, or so many more or fewer than in the systems beside it that a person should look.
    package let isDoubtful: Bool

    package init(x0: Int, y0: Int, x1: Int, y1: Int, staffCount: Int, bars: [Bar], isDoubtful: Bool) {
        (self.x0, self.y0, self.x1, self.y1) = (x0, y0, x1, y1)
        (self.staffCount, self.bars, self.isDoubtful) = (staffCount, bars, isDoubtful)
    }
}

/// A bar that has been found on a page.
package typealias FoundBar = FoundSystem.Bar
