internal import TerminalUI

/// The text of a tempo map.
func readTextFile(_ path: String) throws(CommandError) -> String {
    let bytes = try SmallFile.read(path, kind: "a tempo map")
    guard let text = String(validating: bytes, as: UTF8.self), !bytes.contains(0) else {
        throw CommandError("\"\(path)\" is not text: name a tempo map or a tempo", exitStatus: ExitStatus.noInput)
    }
    return text
}
