internal import Music

/// Why the server cannot start.
package enum StandError: ExplainedError, Hashable {
    case portInUse(address: String, port: Int)
    case cannotListen(address: String, port: Int, reason: String)
    case notAFolder(path: String)
    case closedFolder(path: String)
    /// The pictures of pages cannot be kept.
    case noCache(problem: String, remedy: String)
    /// There are no certificates in this file, no key in that one, or one of another certificate.
    case noCertificate(path: String)
    case noKey(path: String)
    case wrongKey(certificate: String, key: String)
    /// The package was built without the trait TLS.
    case withoutEncryption
    /// There are as many connections as may be.
    case full

    package var problem: String {
        switch self {
        case .portInUse(let address, let port): "another program listens on \(address), port \(port)"
        case .cannotListen(let address, let port, let reason):
            "cannot listen on \(address), port \(port) (\(reason))"
        case .notAFolder(let path): "\"\(path)\" is not a folder"
        case .closedFolder(let path): "no permission to look into the folder \"\(path)\""
        case .noCache(let problem, _): problem
        case .noCertificate(let path): "\"\(path)\" holds no certificate in PEM"
        case .noKey(let path): "\"\(path)\" holds no key in PEM that opens without a password"
        case .wrongKey(let certificate, let key): "\"\(key)\" is not the key of \"\(certificate)\""
        case .withoutEncryption: "this musicstand was built without TLS"
        case .full: "there are too many connections"
        }
    }

    package var remedy: String {
        switch self {
        case .portInUse: "end it, or choose another --port"
        case .cannotListen: "choose another --port"
        case .notAFolder: "name the folder that your scores are in"
        case .closedFolder: "ask its owner, or name another one"
        case .noCache(_, let remedy): remedy
        case .noCertificate: "name the file that begins with BEGIN CERTIFICATE"
        case .noKey: "name the file that begins with BEGIN PRIVATE KEY"
        case .wrongKey: "name the two that were made together"
        case .withoutEncryption: "build it with make TLS=1, or go without --tls-certificate and --tls-key"
        case .full: "close some"
        }
    }
}
