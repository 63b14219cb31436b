internal import Music
internal import Platform

/// The settings of both commands in TOML: a table for each command with the long names of its options.
///
///     [tuner]
///     a4 = 442
///     instrument = "guitar"
///
///     [tuner-tone]
///     color = "sine"
struct ConfigurationFile: Sendable {
    /// A setting and its place in the file.
    struct Setting: Sendable {
        let name: String
        /// The value as on the command line; `true` or `false` for a flag.
        let value: String
        let isTruth: Bool
        /// Its line, from 1.
        let line: Int
    }

    /// The path; empty if no file was read.
    let path: String
    /// The settings of each table, such as `tuner` or `tuner-tone`, in the order of the file.
    let tables: [String: [Setting]]

    init() { (path, tables) = ("", [:]) }

    init(path: String) throws(CommandError) {
        let bytes: [UInt8]
        do {
            bytes = try SmallFile.read(path, kind: "a settings file")
        } catch {
            throw CommandError(
                .input, error.problem, remedy: error.remedy + "; with `config --example` each command prints one")
        }
        try self.init(text: String(decoding: bytes, as: UTF8.self), path: path)
    }

    init(text: String, path: String) throws(CommandError) {
        let read: TOMLTables
        do throws(TOMLError) {
            read = try TOMLTables(text)
        } catch {
            throw CommandError(.input, "\(path), line \(error.line): \(error.problem)", remedy: error.remedy)
        }
        var tables: [String: [Setting]] = [:]
        for setting in read.settings {
            let name = setting.path[setting.path.count - 1]
            tables[setting.path.dropLast().joined(separator: "."), default: []].append(
                Setting(name: name, value: setting.value, isTruth: setting.isTruth, line: setting.line))
        }
        self.path = path
        self.tables = tables
        if let stray = tables[""]?.first {
            throw CommandError(
                .input, "\(path), line \(stray.line): \(stray.name.legible) is outside of any table",
                remedy: "put it below [tuner], [metronome] or [musicstand]")
        }
    }

    /// The path of the file that is read by default.
    static func standardPath(environment: [String: String]) -> String? {
        settingsFolder(environment: environment).map { $0 + "/config.toml" }
    }
}

/// The folder of the settings file and of presets.
package func settingsFolder(environment: [String: String]) -> String? {
    let folder =
        environment["XDG_CONFIG_HOME"].flatMap { $0.hasPrefix("/") ? $0 : nil }
        ?? environment["HOME"].map { $0 + "/.config" }
    return folder.map { $0 + "/well-tempered" }
}
