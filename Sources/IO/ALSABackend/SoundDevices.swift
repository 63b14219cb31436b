package import AudioIO
internal import CALSA
internal import Glibc

/// A sound card that can be opened directly, or a device of the ALSA configuration: a sound server, a conversion.
package struct SoundDevice: Sendable, Hashable, CustomStringConvertible {
    /// The name to open it by: `hw:CARD=PCH,DEV=0`, `default`.
    package let name: String
    /// What it is, in one line: `HDA Intel PCH, ALC257 Analog`.
    package let summary: String

    /// A line of a list.
    package var description: String { summary.isEmpty ? name : "\(name)  \(summary)" }
}

/// The sound devices of this machine.
package enum SoundDevices {
    /// The cards, as `arecord -l` and `aplay -l` list them.
    package static func cards(_ direction: StreamDirection) -> [SoundDevice] {
        var cards: [SoundDevice] = []
        var card: Int32 = -1
        while snd_card_next(&card) == 0, card >= 0 { cards += devices(ofCard: card, direction) }
        return cards
    }

    /// All devices of a direction by name, as `arecord -L` and `aplay -L` list them.
    package static func all(_ direction: StreamDirection) -> [SoundDevice] {
        var hints: UnsafeMutablePointer<UnsafeMutableRawPointer?>?
        guard snd_device_name_hint(-1, "pcm", &hints) == 0, let hints else { return [] }
        defer { snd_device_name_free_hint(hints) }
        let other = direction == .capture ? "Output" : "Input"
        var found: [SoundDevice] = []
        var index = 0
        while let hint = hints[index] {
            index += 1
            guard let name = text(hint, "NAME"), text(hint, "IOID") != other else { continue }
            let lines = (text(hint, "DESC") ?? "").split(separator: "\n")
            found.append(SoundDevice(name: name, summary: lines.joined(separator: ", ")))
        }
        return found
    }

    private static func devices(ofCard card: Int32, _ direction: StreamDirection) -> [SoundDevice] {
        var opened: OpaquePointer?
        guard snd_ctl_open(&opened, "hw:\(card)", 0) == 0, let control = opened else { return [] }
        defer { snd_ctl_close(control) }
        var (cardInfo, pcmInfo): (OpaquePointer?, OpaquePointer?)
        guard snd_ctl_card_info_malloc(&cardInfo) == 0, let cardInfo else { return [] }
        defer { snd_ctl_card_info_free(cardInfo) }
        guard snd_pcm_info_malloc(&pcmInfo) == 0, let pcmInfo, snd_ctl_card_info(control, cardInfo) == 0 else {
            return []
        }
        defer { snd_pcm_info_free(pcmInfo) }
        let cardID = String(cString: snd_ctl_card_info_get_id(cardInfo))
        let cardName = String(cString: snd_ctl_card_info_get_name(cardInfo))
        var found: [SoundDevice] = []
        var device: Int32 = -1
        while snd_ctl_pcm_next_device(control, &device) == 0, device >= 0 {
            snd_pcm_info_set_device(pcmInfo, UInt32(device))
            snd_pcm_info_set_subdevice(pcmInfo, 0)
            snd_pcm_info_set_stream(pcmInfo, direction.stream)
            guard snd_ctl_pcm_info(control, pcmInfo) == 0 else { continue }
            let name = String(cString: snd_pcm_info_get_name(pcmInfo))
            found.append(SoundDevice(name: "hw:CARD=\(cardID),DEV=\(device)", summary: "\(cardName), \(name)"))
        }
        return found
    }

    private static func text(_ hint: UnsafeMutableRawPointer, _ key: String) -> String? {
        guard let text = snd_device_name_get_hint(hint, key) else { return nil }
        defer { free(text) }
        return String(cString: text)
    }
}
