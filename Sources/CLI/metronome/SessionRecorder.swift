internal import Configuration
internal import Glibc
internal import Music
internal import PracticeLog
internal import SQLite
internal import TerminalUI
internal import Timebase

/// Logs the session that plays: from its tenth second on, every half minute and at its end.
///
/// A log that cannot be written does not stop the music: the first failure is told when the session ends.
struct SessionRecorder: ~Copyable {
    private(set) var session: PracticeSession
    private let sampleRate: Double
    /// Whether this session was to be logged, by an option of its own.
    private let isAsked: Bool
    private var log: PracticeLog?
    private var row: Int64?
    private var lastFrame: Int64?
    private var lastUpdate = Duration.zero
    private var failure: DatabaseError?
    private var isFinished = false

    /// A shorter try is no session.
    static let shortest = Duration.seconds(10)
    /// What a killed process loses at most.
    private static let pause = Duration.seconds(30)

    /// - Parameters:
    ///   - isLogged: whether the log gets the session; otherwise it is only counted.
    ///   - isAsked: whether the player is told if it does not.
    ///   - sampleRate: the frames of beats per second.
    init(_ session: PracticeSession, isLogged: Bool, isAsked: Bool, sampleRate: Double) {
        (self.session, self.sampleRate, self.isAsked) = (session, sampleRate, isAsked)
        guard isLogged else { return }
        do throws(DatabaseError) { log = try PracticeLog() } catch { failure = error }
    }

    /// Ends the session and begins the next, when a set list goes on with another song.
    mutating func follow(_ entry: SetList.Entry) {
        guard entry.name != session.piece else { return }
        if session.length >= Self.shortest { write() }
        session = PracticeSession(
            program: session.program, began: Int64(time(nil)), plan: entry.words.joined(separator: " "),
            piece: entry.name, device: session.device)
        (row, lastFrame, lastUpdate) = (nil, nil, .zero)
    }

    /// Counts a beat that was heard.
    mutating func hear(_ beat: BeatEvent) {
        let tempo = session.tempo ?? PracticeSession.Tempo(first: beat.tempo, reached: beat.tempo)
        session.tempo = PracticeSession.Tempo(first: tempo.first, reached: max(tempo.reached, beat.tempo))
        // A jump to another place of the plan is no practice time: two beats at most.
        let beatFrames = sampleRate * 60 / max(1, beat.tempo)
        let step = lastFrame.map { Double(beat.frame - $0) } ?? 0
        if step > 0 { session.length += .seconds(min(step, 2 * beatFrames) / sampleRate) }
        lastFrame = beat.frame
        if session.length - lastUpdate >= (row == nil ? Self.shortest : Self.pause) { write() }
    }

    /// Counts the notes that were heard so far.
    mutating func hear(_ timing: PracticeSession.Timing) { session.timing = timing }

    /// Logs the session as it ended, and tells what went wrong; the second time it does nothing.
    ///
    /// - Parameter status: the exit status so far.
    /// - Returns: the exit status: that of the log where nothing else has failed.
    @discardableResult
    mutating func finish(_ status: Int32 = ExitStatus.ok) -> Int32 {
        guard !isFinished else { return status }
        isFinished = true
        if session.length >= Self.shortest { write() }
        if isAsked, session.length < Self.shortest, failure == nil, row == nil {
            let seconds = Self.shortest.components.seconds
            complain("the session is not logged: it was shorter than \(seconds) seconds")
        }
        guard let failure else { return status }
        complain(failure.message)
        return status == ExitStatus.ok ? ExitStatus.of(failure) : status
    }

    private mutating func write() {
        lastUpdate = session.length
        guard failure == nil else { return }
        do throws(DatabaseError) {
            if let row {
                try log?.update(row, to: session)
            } else {
                row = try log?.add(session)
            }
        } catch {
            failure = error
        }
    }
}
