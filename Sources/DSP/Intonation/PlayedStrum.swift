/// A strum of a recording.
package struct PlayedStrum: Sendable {
    package private(set) var strum: TunedStrum
    /// When the next sound begins.
    let limit: Duration
    /// When it had rung out, or the next sound began.
    package internal(set) var end: Duration

    package var time: Duration { strum.time }
    package var duration: Duration { end - time }

    /// The strums among the sounds of a recording.
    ///
    /// - Parameter sounds: all that begins in it, strums and single notes, in the order of time.
    package static func all(among sounds: [TunedStrum]) -> [PlayedStrum] {
        sounds.indices.filter { sounds[$0].isStrum && sounds[$0].isMeasured }.map { index in
            let limit = index + 1 < sounds.count ? sounds[index + 1].time : .seconds(Int64.max)
            return PlayedStrum(strum: sounds[index], limit: limit, end: sounds[index].time + sounds[index].window)
        }
    }

    /// The same strum by other rules.
    func renamed(by finder: NoteFinder) -> PlayedStrum {
        var played = self
        played.strum = strum.renamed(by: finder) ?? strum
        return played
    }
}
