extension Hertz {
    /// The rate as a whole number of frames per second, which exact arithmetic needs; `nil` if it is none from 1 to 2^24.
    package var framesPerSecond: Int? {
        guard let rate = Int(exactly: value), (1...1 << 24).contains(rate) else { return nil }
        return rate
    }
}
