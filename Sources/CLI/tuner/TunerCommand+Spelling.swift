import AudioIO
import Configuration

/// What people write who know other tools, and what it is called here.
extension TunerCommand {
    static func respelled(_ arguments: [String]) -> [String] {
        guard ["analyse", "analysis"].contains(arguments.first) else { return arguments }
        return ["analyze"] + arguments.dropFirst()
    }

    static func complaint(about words: [String]) -> CommandError? {
        let options = words.prefix { $0 != "--" }.filter { $0.hasPrefix("-") }
            .map { String($0.prefix { $0 != "=" }).lowercased() }
        let isAnalyzing = words.first == "analyze"
        for option in options {
            let advice: String? =
                switch option {
                case "--plot", "--from", "--to":
                    isAnalyzing ? nil : "use `tuner analyze FILE \(option) ...`"
                case "--list":
                    "use -l for sound cards, --list-instruments or --list-temperaments"
                case "--capture-device", "--input", "--source": "use -D DEVICE"
                case "--reference", "--pitch", "--concert-pitch", "--hz": "use --a4 442"
                case "--strings": "use --instrument guitar --tuning DADGAD"
                case "--seconds", "--length", "--time": "use --for 10"
                case "--volume", "--gain": words.first == "tone" ? "use --level -20" : nil
                case "--output", "-o": "use --render FILE with tone, --plot FILE with analyze, or > FILE"
                default: nil
                }
            if let advice { return CommandError(.usage, "there is no option \(option) here", remedy: advice) }
        }
        return nil
    }

    /// The error for a word that is no file, but could be meant as something else; `nil` if it is a file.
    static func complaint(aboutFile name: String) -> CommandError? {
        guard name != "-", !SystemPath.exists(name) else { return nil }
        let devices = ["hw:", "plughw:", "sysdefault", "front:", "dsnoop:", "pulse", "pipewire", "default"]
        if devices.contains(where: { name.hasPrefix($0) }) {
            return CommandError(.input, "there is no file \"\(name)\"", remedy: "to listen to a device use -D \(name)")
        }
        if (try? Instrument(named: name)) != nil {
            return CommandError(.input, "there is no file \"\(name)\"", remedy: "to tune it use -i \"\(name)\"")
        }
        if let note = try? Note(named: name) {
            return CommandError(.input, "there is no file \"\(name)\"", remedy: "to hear it use `tuner tone \(note)`")
        }
        return nil
    }
}
