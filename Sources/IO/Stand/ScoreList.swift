/// What is in the folder.
package struct ScoreList: Sendable, Equatable {
    /// By title.
    package var scores: [ScoreName] = []
    package var leftOut = LeftOutMessage([], unread: 0)
    /// The scores of further files with the same content, by their titles in small letters.
    package var copies: [String: String] = [:]

    /// The score of a name, whatever the case.
    func score(named name: String) -> String? {
        scores.first { $0.title.lowercased() == name.lowercased() }?.id ?? copies[name.lowercased()]
    }
}
