extension Duration {
    /// The length in seconds, as a number to calculate with.
    package var inSeconds: Double { self / .seconds(1) }
}
