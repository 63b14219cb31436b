/// What several sessions add up to: those of a week, or of a piece.
package struct PracticeTotal: Sendable, Equatable {
    /// The Monday of the week, or the piece.
    package let name: String
    package var sessions = 0
    package var length = Duration.zero
    /// The highest tempo, in beats per minute, of the sessions that have one.
    package var fastest: Double?
    /// The smallest spread of the notes, of the sessions in which they were heard.
    package var steadiest: Duration?

    /// The totals of groups of sessions, in the order in which the groups first appear.
    package static func of(
        _ sessions: [LoggedSession], by name: (LoggedSession) -> String?
    ) -> [PracticeTotal] {
        var totals: [PracticeTotal] = []
        var places: [String: Int] = [:]
        for entry in sessions {
            guard let name = name(entry) else { continue }
            let place = places[name.lowercased()] ?? totals.count
            if place == totals.count {
                totals.append(PracticeTotal(name: name))
                places[name.lowercased()] = place
            }
            totals[place].add(entry.session)
        }
        return totals
    }

    private init(name: String) { self.name = name }

    private mutating func add(_ session: PracticeSession) {
        sessions += 1
        length += session.length
        if let reached = session.tempo?.reached { fastest = max(fastest ?? reached, reached) }
        if let spread = session.timing?.spread { steadiest = min(steadiest ?? spread, spread) }
    }
}
