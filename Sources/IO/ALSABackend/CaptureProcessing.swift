internal import CALSA

/// What changes the sound between a microphone and its reader: an echo canceller, automatic gain, noise suppression.
///
/// Mixer controls of sound cards tell by their names and switches, nodes of a sound server by their names. What neither tells
/// only shows in its effect.
package enum CaptureProcessing: String, Sendable, CaseIterable {
    case automaticGain = "automatic gain"
    case echoCanceller = "echo cancellation"
    case noiseSuppression = "noise suppression"

    /// The kind that a mixer control or a node of this name has; `nil` for others.
    package init?(named name: String) {
        let name = name.lowercased().map { $0 == "-" || $0 == "_" ? " " : String($0) }.joined()
        func has(_ words: String...) -> Bool { words.contains { name.contains($0) } }
        if has("auto gain", "automatic gain", "agc") {
            self = .automaticGain
        } else if has("echo cancel", "echocancel", "aec") {
            self = .echoCanceller
        } else if has("noise suppress", "noise reduction", "noise cancel", "rnnoise") {
            self = .noiseSuppression
        } else {
            return nil
        }
    }

    /// What is switched on in the path of a capture device, as far as its name and its card's controls tell.
    package static func active(on device: String) -> [CaptureProcessing] {
        var found = Set<CaptureProcessing>()
        if let kind = CaptureProcessing(named: device) { found.insert(kind) }
        found.formUnion(switches(ofControl: control(of: device)))
        return allCases.filter(found.contains)
    }

    /// The control device of a PCM: `hw:2` of `plughw:2,0`; others share a name with theirs.
    static func control(of device: String) -> String {
        let parts = device.split(separator: ":", maxSplits: 1)
        guard parts.count == 2, ["hw", "plughw", "sysdefault", "front"].contains(parts[0]) else { return device }
        let card = parts[1].split(separator: ",")[0]
        return "hw:" + (card.hasPrefix("CARD=") ? card.dropFirst(5) : card)
    }

    /// The switches of a control device that are on.
    private static func switches(ofControl name: String) -> [CaptureProcessing] {
        var opened: OpaquePointer?
        guard snd_ctl_open(&opened, name, Int32(SND_CTL_NONBLOCK)) == 0, let control = opened else { return [] }
        defer { snd_ctl_close(control) }
        var (list, value): (OpaquePointer?, OpaquePointer?)
        guard snd_ctl_elem_list_malloc(&list) == 0, let list else { return [] }
        defer { snd_ctl_elem_list_free(list) }
        guard snd_ctl_elem_value_malloc(&value) == 0, let value, snd_ctl_elem_list(control, list) == 0 else {
            return []
        }
        defer { snd_ctl_elem_value_free(value) }
        guard snd_ctl_elem_list_alloc_space(list, snd_ctl_elem_list_get_count(list)) == 0 else { return [] }
        defer { snd_ctl_elem_list_free_space(list) }
        guard snd_ctl_elem_list(control, list) == 0 else { return [] }
        return (0..<snd_ctl_elem_list_get_used(list)).compactMap { index in
            guard let name = snd_ctl_elem_list_get_name(list, index),
                let kind = CaptureProcessing(named: String(cString: name))
            else { return nil }
            snd_ctl_elem_value_set_numid(value, snd_ctl_elem_list_get_numid(list, index))
            guard snd_ctl_elem_read(control, value) == 0, snd_ctl_elem_value_get_boolean(value, 0) != 0 else {
                return nil
            }
            return kind
        }
    }
}
