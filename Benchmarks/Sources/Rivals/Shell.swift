import Foundation

/// Other programs, found on the PATH.
public enum Shell {
    /// A program that did not start, or ended with another status than 0.
    public struct Failure: Error, CustomStringConvertible {
        /// Its error output.
        public let description: String
    }

    /// What a program writes to its standard output, given `input` on its standard input.
    public static func output(of command: [String], input: Data? = nil, environment: [String: String] = [:]) throws
        -> String
    {
        let process = Process()
        process.executableURL = URL(filePath: "/usr/bin/env")
        process.arguments = command
        process.environment = ProcessInfo.processInfo.environment.merging(environment) { $1 }
        let (output, errors, source) = (Pipe(), FileManager.default.temporaryDirectory, Pipe())
        let errorFile = errors.appending(path: "errors-\(UUID().uuidString)")
        _ = FileManager.default.createFile(atPath: errorFile.path(), contents: nil)
        defer { try? FileManager.default.removeItem(at: errorFile) }
        process.standardOutput = output
        process.standardError = try FileHandle(forWritingTo: errorFile)
        process.standardInput = input == nil ? FileHandle.nullDevice : source
        try process.run()
        if let input {
            let writer = source.fileHandleForWriting
            Thread.detachNewThread {
                try? writer.write(contentsOf: input)
                try? writer.close()
            }
        }
        let text = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
        process.waitUntilExit()
        guard process.terminationStatus == 0 else {
            let told = (try? String(contentsOf: errorFile, encoding: .utf8)) ?? ""
            throw Failure(description: "\(command[0]) ended with \(process.terminationStatus): \(told.suffix(2_000))")
        }
        return text
    }

    /// Whether there is such a program.
    public static func has(_ program: String) -> Bool { (try? output(of: ["which", program])) != nil }
}
