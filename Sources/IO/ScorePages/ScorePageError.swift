internal import Music

/// A score cannot be shown: its file, or a program that would draw it, is not what it should be.
package struct ScorePageError: ExplainedError, Hashable {
    package let problem: String, remedy: String

    package init(problem: String, remedy: String) { (self.problem, self.remedy) = (problem, remedy) }
}
