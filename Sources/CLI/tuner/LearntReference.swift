import Intonation
import Music
import Pitch

/// The reference pitch, which follows what is heard if the command line asks for it (`--a4 auto`).
struct LearntReference {
    /// A4 as it stands.
    private(set) var pitch: ReferencePitch
    private(set) var isLearning: Bool
    private var learner = ReferenceLearner(memory: Self.memory)

    /// 2,000 readings are ten seconds: A4 follows the ensemble, but not a single note.
    private static let memory = 2_000.0
    /// A new tuning is made when A4 has moved by this much, which is 0.4 cents.
    private static let step = 0.1

    init(_ options: TuningOptions) throws {
        pitch = try options.referencePitch()
        isLearning = options.learnsReference
    }

    /// Adds a reading.
    ///
    /// - Returns: whether A4 has moved, and with it the tuning.
    mutating func hear(_ note: TunedNote) -> Bool {
        guard isLearning, let heard = note.pitch else { return false }
        learner.hear(heard.frequency, weight: note.reading.clarity)
        guard let found = learner.a4, abs(found.value - pitch.a4.value) >= Self.step else { return false }
        pitch = ReferencePitch(a4: found)
        return true
    }

    /// Sets A4, which is not learnt from then on.
    mutating func set(_ a4: Hertz) {
        isLearning = false
        pitch = ReferencePitch(a4: a4)
    }
}
