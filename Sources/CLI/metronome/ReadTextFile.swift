internal import AudioIO
internal import Foundation
internal import TerminalUI

/// The text of a file, at most 16 MiB of it; longer tempo maps are a mistake.
func readTextFile(_ path: String) throws(CommandError) -> String {
    var isDirectory: ObjCBool = false
    guard FileManager.default.fileExists(atPath: path, isDirectory: &isDirectory) else {
        throw CommandError("there is no file \"\(path)\": check the name", exitStatus: ExitStatus.noInput)
    }
    guard !isDirectory.boolValue else {
        throw CommandError("\"\(path)\" is a directory: name a tempo map in it", exitStatus: ExitStatus.noInput)
    }
    guard let handle = FileHandle(forReadingAtPath: path), let data = try? handle.read(upToCount: 16 << 20) else {
        throw CommandError("cannot read \"\(path)\": check its permissions", exitStatus: ExitStatus.noInput)
    }
    guard let text = String(data: data, encoding: .utf8), !text.contains("\0") else {
        throw CommandError("\"\(path)\" is not text: name a tempo map or a tempo", exitStatus: ExitStatus.noInput)
    }
    return text
}
