import AudioIO

/// What a measurement against the clock found wrong, and signs of a busy machine that explain it.
struct Verdict {
    /// What is wrong; empty if nothing is.
    var wrong: [String] = []
    /// Signs that the machine was too busy: a heartbeat that was late, xruns, positions that jumped.
    var starvation: [String] = []

    /// Notes `message` unless `isRight`.
    mutating func require(_ isRight: Bool, _ message: @autoclosure () -> String) {
        if !isRight { wrong.append(message()) }
    }
}

/// Measures, and measures again if something is wrong and the machine was too busy. It never repeats for another reason, so
/// that a real error fails at once on an idle machine, and every time on a busy one.
///
/// Throws `Wrong` and records nothing, since it may run on threads that belong to no test.
func measure(_ name: String, attempts: Int = 4, _ body: () throws -> Verdict) throws {
    for attempt in 1...attempts {
        let verdict = try body()
        if verdict.wrong.isEmpty { return }
        let wrong = verdict.wrong.joined(separator: "; ")
        let signs = verdict.starvation.joined(separator: ", ")
        if signs.isEmpty || attempt == attempts {
            throw Wrong(description: "\(wrong)\(signs.isEmpty ? "" : " (\(attempts) times; the last time: \(signs))")")
        }
        print("\(name): \(wrong): the machine was busy (\(signs)), measured again")
    }
}

/// What a measurement found wrong.
struct Wrong: Error, CustomStringConvertible {
    let description: String
}

extension StreamStatistics {
    /// What tells that the machine let a card run dry or over on which nothing fails.
    var starvation: [String] { xruns + discontinuities > 0 || droppedFrames > 0 ? ["\(self)"] : [] }
}
