internal import FoundationEssentials
internal import Glibc

/// Decodes a PNG or JPEG file in a process of its own, under the limits of `PageTools`: the program calls itself.
///
/// A decoder is a large piece of C that reads what strangers send. A fault in it ends that process, and the metronome goes on.
package enum ImageDecodingProcess {
    /// The argument by which a program knows that it is to decode its standard input.
    package static let argument = "--decode-page-image"

    /// Where the program was called for this, decodes, writes a graymap to its standard output, and ends.
    ///
    /// A program that makes a `PageRenderer` calls it first in `main`.
    package static func runIfAsked(_ arguments: [String] = ProcessInfo.processInfo.arguments) {
        guard arguments.count == 3, arguments[1] == argument, let mostWanted = Int(arguments[2]), mostWanted > 0 else {
            return
        }
        let image = standardInput().flatMap { ImageDecoder().image($0, mostWanted: mostWanted) }
        guard let image else { exit(1) }
        var factor = 1
        while image.width / (factor + 1) * (image.height / (factor + 1)) >= mostWanted { factor += 1 }
        let bytes = image.shrunk(by: factor).portableGraymap
        var written = 0
        while written < bytes.count {
            let count = bytes[written...].withUnsafeBytes { write(1, $0.baseAddress, $0.count) }
            guard count > 0 else { exit(1) }
            written += count
        }
        exit(0)
    }

    private static func standardInput() -> [UInt8]? {
        var bytes: [UInt8] = []
        var block = [UInt8](repeating: 0, count: 1 << 18)
        while bytes.count <= ScoreFile.mostBytes {
            let count = read(0, &block, block.count)
            guard count >= 0 else { return nil }
            guard count > 0 else { return bytes }
            bytes.append(contentsOf: block.prefix(count))
        }
        return nil
    }

    /// The path of this program: in a child the link would lead to the child.
    private static var ownPath: String? {
        guard let path = realpath("/proc/self/exe", nil) else { return nil }
        defer { free(path) }
        return String(cString: path)
    }

    /// The picture of a file, decoded by another process.
    ///
    /// - Parameter program: the command that decodes; `nil`: this program.
    static func image(
        _ file: borrowing ScoreFile, mostWanted: Int, program: String?, _ tools: PageTools
    ) throws(ScorePageError) -> GrayImage {
        guard let program = program ?? ownPath else { throw ChildProcess.noResources("descriptor") }
        let command = [program, argument, "\(mostWanted)"]
        let child = ChildProcess(
            command: try tools.ownCommand(command), input: file.descriptor, mostOutput: 4 * mostWanted + 4_096,
            programs: tools.programs)
        let outcome = try child.run()
        guard outcome.end == .exited(0), let image = GrayImage(portableGraymap: outcome.output) else {
            throw ScorePageError(
                problem: "\"\(file.path)\" is a damaged picture, or takes too much memory",
                remedy: "save it anew as PNG or JPEG")
        }
        return image
    }
}
