internal import Music
internal import Platform

/// A file of the folder that is not on the shelf, and why: a player looks for it there.
package struct LeftOut: Encodable, Sendable, Equatable {
    /// Its path in the folder.
    package let file: String
    package let problem: String, remedy: String

    /// - Parameter paths: the names of the file in the error, which says "it" instead.
    init(_ file: String, paths: [String], _ error: any ExplainedError) {
        var problem = error.problem
        for path in paths { problem = problem.replacing("\"\(path)\"", with: "it") }
        (self.file, self.problem, remedy) = (file.legible, problem, error.remedy)
    }
}

/// What is told of the files that are not on the shelf.
package struct LeftOutMessage: Encodable, Sendable, Equatable {
    /// As many as a person reads.
    static let most = 50
    package let files: [LeftOut]
    /// Further ones of them, which nothing is said of.
    package let further: Int
    /// Files beyond the most that a shelf holds, which are not looked at.
    package let unread: Int
    /// Files that are being read, and will be scores or left out.
    package let coming: Int

    init(_ files: [LeftOut], unread: Int, coming: Int = 0) {
        (self.files, further) = (Array(files.prefix(Self.most)), max(0, files.count - Self.most))
        (self.unread, self.coming) = (unread, coming)
    }
}
