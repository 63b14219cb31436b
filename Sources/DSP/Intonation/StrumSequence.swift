/// Puts the pictures of each strum together: the last picture of a strum, with the longest window, counts.
package struct StrumSequence: Sendable {
    private var newest: TunedStrum?

    package init() {}

    /// Adds the next picture.
    ///
    /// - Returns: the strum that it completes: the picture's own with the longest window, or the one before when another
    ///   begins. Single notes are returned too.
    package mutating func hear(_ picture: TunedStrum) -> [TunedStrum] {
        var complete: [TunedStrum] = []
        if let newest, newest.time != picture.time { complete.append(newest) }
        newest = picture
        if picture.isFinal {
            complete.append(picture)
            newest = nil
        }
        return complete
    }

    /// The strum that was not complete when the sound ended.
    package mutating func finish() -> TunedStrum? { newest.take() }
}
