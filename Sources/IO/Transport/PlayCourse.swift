package import Platform

/// A beat with the moment at which it is heard.
package struct CourseBeat: Sendable, Equatable {
    /// Counts on through the run of the program, whatever is stopped, started and jumped over.
    package var number: Int64
    package var heard: MonotonicTime
    /// In playing order, from 1; a count-in has bars from 0 down, or, before a later bar, those that lie before it.
    package var bar: Int64
    package var beat: Int32, beatsInBar: Int32
    package var isCountIn: Bool
    /// 3 for an accent down to 0 for a silent or muted beat.
    package var level: Int
    /// In the note value that the plan counts.
    package var tempo: Double

    package init(
        number: Int64, heard: MonotonicTime, bar: Int64, beat: Int32, beatsInBar: Int32, isCountIn: Bool, level: Int,
        tempo: Double
    ) {
        (self.number, self.heard, self.bar, self.beat) = (number, heard, bar, beat)
        (self.beatsInBar, self.isCountIn, self.level, self.tempo) = (beatsInBar, isCountIn, level, tempo)
    }
}

/// The beats that lie ahead, and the last ones: a page draws its position between two of them, without a law of the tempo.
package struct PlayCourse: Sendable, Equatable {
    /// A new revision replaces all that lies ahead; the same one adds to it.
    package var revision = 0
    package var isRunning = false
    /// The tempo now, or at the next start.
    package var tempo = 0.0
    package var beats: [CourseBeat] = []

    /// How many beats are sent ahead and behind, and after how many new ones are sent.
    package static let ahead = 64, behind = 4, renewal = 16
    /// At a quick tempo more beats are sent ahead: what lasts so long, as a page that hears nothing for 30 s goes on by them.
    /// Ten seconds more, since the last that were sent may be `renewal` beats old.
    package static let aheadSeconds = 40
    /// And never more than these, which have 50 kB: at 1,000 a minute, the quickest tempo, they last 33 s, and 32 s where
    /// `renewal` of them are old.
    package static let mostAhead = 560

    package init() {}
}
