/// A page whose staff lines are level.
struct UprightPage {
    let gray: GrayImage
    let ink: InkImage
    /// Only what is darker than the blurred edges of the ink.
    let core: InkImage

    /// - Parameter threshold: what is darker is ink.
    init(_ gray: GrayImage, threshold: UInt8) {
        self.gray = gray
        ink = InkImage(gray, darkerThan: threshold)
        core = InkImage(gray, darkerThan: UInt8(0.7 * Double(threshold)))
    }
}
