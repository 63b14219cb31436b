/// Where a click lies against its instant. It begins to sound on the frame nearest to the instant either way.
package enum ClickPlacement: Sendable, Hashable, CaseIterable {
    /// On that frame: at most half a frame beside the instant, and every click of a level has the same samples.
    case nearestFrame
    /// At the instant, between two frames where it has to be: the sound is evaluated that much earlier or later.
    case exact
}
