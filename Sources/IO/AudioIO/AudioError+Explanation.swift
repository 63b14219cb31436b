internal import Music

extension AudioError {
    /// What is wrong, and what to do next.
    internal var explanation: (problem: String, remedy: String) {
        switch self {
        case .noDevice(let device):
            ("no sound card found for \"\(device)\"", "plug one in, start the sound server, or work on a file instead")
        case .unknownDevice(let device): ("no sound device is called \"\(device)\"", "choose one of this machine")
        case .noServer(let device):
            (
                "the sound server behind \"\(device)\" is not running in this session",
                "start PipeWire or PulseAudio, or choose a sound card"
            )
        case .busy(let device):
            (
                "\"\(device)\" is in use by another program, often the sound server",
                (device == "default" ? "" : "choose \"default\", or ") + "see who holds it with `fuser -v /dev/snd/*`"
            )
        case .notPermitted(let device):
            ("no permission to open \"\(device)\"", "join the group audio (`sudo usermod -aG audio $USER`)")
        case .unsupported(let parameter, let device):
            ("\"\(device)\" \(parameter.refusal)", parameter.remedy(on: device))
        case .lost(let device, let reason):
            (
                "the sound device \"\(device)\" was lost (\(reason))",
                "reconnect it, restart its server, or choose another device"
            )
        case .deviceFailed(let device, let reason):
            (
                "the sound device \"\(device)\" failed (\(reason))",
                "try another device, such as " + (device == "default" ? "a sound card" : "\"default\"")
            )
        case .outOfResources(let resource):
            (ResourceError(resource).problem, ResourceError(resource).remedy)
        case .noSuchChannel(let number, let count):
            (
                "there is no channel \(number), the sound has \(count == 1 ? "one" : "\(count)")",
                count == 1 ? "ask for channel 1" : "ask for 1 to \(count)"
            )
        case .unknownSampleFormat(let spelling):
            ("no sample format is called \"\(spelling)\"", "use arecord's: S16_LE, S24_3LE, S32_LE, FLOAT_LE, cd, dat")
        case .impossiblePCM(let problem, let remedy): (problem, remedy)
        case .fileNotFound(let path): ("there is no file \"\(path)\"", "check the name")
        case .isDirectory(let path): ("\"\(path)\" is a directory", "name a sound file in it")
        case .fileNotPermitted(let path): ("no permission to read \"\(path)\"", "ask its owner, or copy it")
        case .emptyFile("-"):
            ("there is no sound on standard input", "pipe some into it: arecord -t raw -f cd | tuner - -f cd")
        case .emptyFile(let path): ("\"\(path)\" is empty", "record or copy it again")
        case .notAudio(let path, let detail):
            ("\"\(path)\" is not a sound file that can be read (\(detail))", Self.conversion(of: path))
        case .impossibleRate(let path, let hertz):
            (
                "\"\(path)\" has a sample rate of \(hertz) Hz",
                "convert it to one from \(lowestFileRate) to \(highestFrameRate) Hz, or copy it again if it is damaged"
            )
        case .noSamples(let path): ("\"\(path)\" contains no sound", "record or copy it again")
        case .truncatedFile(let path, let read, let expected):
            (
                "\"\(path)\" breaks off after \(read) \(expected.map { "of \($0) " } ?? "")frames",
                "copy it again if the rest is needed"
            )
        case .cannotRead(let path, let reason): ("cannot read \"\(path)\" (\(reason))", "check the file and the disk")
        case .cannotWrite(let path, let reason):
            ("cannot write \"\(path)\" (\(reason))", "choose another place, or make room")
        }
    }

    /// How to make a file readable: for what phones and video sites write, the line that converts it.
    private static func conversion(of path: String) -> String {
        let name = path.split(separator: "/").last ?? ""
        guard let point = name.lastIndex(of: "."),
            ["m4a", "m4b", "aac", "mp4", "m4v", "mov", "webm", "mkv", "wma", "amr", "3gp"]
                .contains(name[name.index(after: point)...].lowercased())
        else { return "use WAV, FLAC, OGG, MP3 or AIFF" }
        let base = path.dropLast(name.distance(from: point, to: name.endIndex))
        return "convert it: ffmpeg -i \(shellWord(path)) \(shellWord(base + ".wav"))"
    }

    /// A name as a word of a shell's command line, which may be copied.
    private static func shellWord(_ name: some StringProtocol) -> String {
        guard name.contains(where: { "\"$`\\!".contains($0) }) else { return "\"\(name)\"" }
        return "'" + name.split(separator: "'", omittingEmptySubsequences: false).joined(separator: "'\\''") + "'"
    }
}
