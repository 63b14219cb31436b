internal import Music

/// Why the server cannot start.
package enum StandError: ExplainedError, Hashable {
    case cannotListen(address: String, port: Int, reason: String)
    case notAFolder(path: String)
    /// There are as many connections as may be.
    case full

    package var problem: String {
        switch self {
        case .cannotListen(let address, let port, let reason):
            "cannot listen on \(address), port \(port) (\(reason))"
        case .notAFolder(let path): "\"\(path)\" is not a folder"
        case .full: "there are too many connections"
        }
    }

    package var remedy: String {
        switch self {
        case .cannotListen: "end the program that listens there, or choose another --port"
        case .notAFolder: "name the folder that your scores are in"
        case .full: "close some"
        }
    }
}
