/// Where a click begins.
public enum ClickPlacement: Sendable, Hashable, CaseIterable {
    /// On the frame nearest to its instant: at most half a frame beside it, and every click of a level has the same
    /// samples.
    case nearestFrame
    /// At its instant, between two frames where it has to be: the sound is evaluated that much later.
    case exact
}
