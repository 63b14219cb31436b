/// Where a click lies relative to its instant. Either way it begins to sound on the nearest frame.
package enum ClickPlacement: Sendable, Hashable, CaseIterable {
    /// On that frame: at most half a frame from the instant, and every click of a level has the same samples.
    case nearestFrame
    /// At the instant, also between two frames.
    case exact
}
