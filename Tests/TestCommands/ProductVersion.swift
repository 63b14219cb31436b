import Foundation

/// The version, read from the one place where it stands.
public func productVersion() throws -> String {
    let source = try String(
        contentsOf: repository.appending(path: "Sources/CLI/Configuration/Version.swift"), encoding: .utf8)
    guard let found = source.firstMatch(of: /productVersion = "([0-9]+\.[0-9]+\.[0-9]+)"/) else {
        throw CannotRun(path: "Version.swift", reason: "it names no version")
    }
    return String(found.1)
}
