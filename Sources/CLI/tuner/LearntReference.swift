import Intonation
import Music
import Pitch

/// A4 learnt from what is heard, where the command line asks for it.
struct LearntReference {
    private let options: TuningOptions
    private var learner = ReferenceLearner(memory: Self.memory)
    private var a4: Double

    /// 2,000 readings are ten seconds: A4 moves with the ensemble but not with one note.
    static let memory = 2_000.0

    /// Learns if A4 is `auto`.
    init(_ options: TuningOptions) throws {
        self.options = options
        a4 = try options.referencePitch().a4.value
    }

    /// Takes in a reading; returns the tuning that holds from now on where A4 has moved by a tenth of a hertz.
    mutating func hear(_ note: TunedNote) throws -> Tuning? {
        guard options.learnsReference, let pitch = note.pitch else { return nil }
        learner.hear(pitch.frequency, weight: note.reading.clarity)
        guard let found = learner.a4, abs(found.value - a4) >= 0.1 else { return nil }
        a4 = found.value
        return try options.makeTuning(reference: ReferencePitch(a4: found))
    }
}
