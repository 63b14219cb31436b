import Intonation
import Realtime
import Strum

/// The engine for strums on the analysis thread.
struct StrumHearing: ~Copyable, Sendable {
    /// A picture, and the engine that it is of.
    typealias Heard = (strum: HeardStrum, generation: Int)

    private var engine: StrumEngine?
    private let generation: Int
    /// Samples of the stream before the engine was made or reset.
    private var origin: Int64 = 0

    /// - Parameters:
    ///   - engine: `nil` to hear no strums.
    ///   - generation: the number of the engine.
    init(engine: consuming StrumEngine?, generation: Int) {
        self.engine = engine
        self.generation = generation
    }

    /// Starts again, so many samples after the start of the stream.
    mutating func begin(at frame: Int64) {
        engine?.reset()
        origin = frame
    }

    mutating func process(_ samples: borrowing Span<Float>) { engine?.process(samples) }

    /// The next picture; `nil` until more samples come.
    mutating func next() -> Heard? {
        guard var engine = engine.take() else { return nil }
        var heard: Heard?
        if let picture = engine.refine() { heard = (HeardStrum(picture, of: engine, origin: origin), generation) }
        self.engine = consume engine
        return heard
    }
}
