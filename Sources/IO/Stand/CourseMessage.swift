internal import Transport

/// The course as it travels.
struct CourseMessage: Encodable {
    struct Beat: Encodable {
        let n: Int64, t: Int64, bar: Int64, beat: Int32, of: Int32, level: Int, bpm: Double
        /// Present, and true, in a count-in.
        let countIn: Bool?
    }
    let type = "course"
    let revision: Int
    let isRunning: Bool
    let bpm: Double
    let beats: [Beat]

    init(_ course: PlayCourse, clock: StandClock) {
        (revision, isRunning, bpm) = (course.revision, course.isRunning, course.tempo)
        beats = course.beats.map {
            Beat(
                n: $0.number, t: clock.reading(at: $0.heard), bar: $0.bar, beat: $0.beat, of: $0.beatsInBar,
                level: $0.level, bpm: $0.tempo, countIn: $0.isCountIn ? true : nil)
        }
    }
}
