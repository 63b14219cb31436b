internal import AudioIO
internal import CALSA
internal import Glibc

/// The error for the error number of a failed opening.
internal func openError(_ number: Int32, device: String) -> AudioError {
    // alsa-lib also reports "no such device" when no descriptor is left to read its configuration with.
    switch hasFreeDescriptor ? number : EMFILE {
    case EINVAL where isDefined(device):
        .deviceFailed(device: device, reason: "ALSA refuses its definition or its settings")
    case ENOENT, EINVAL, ENODEV, ENXIO:
        // alsa-lib reports "no such device" for a misspelt name and for a machine without sound.
        isDefined(device) && !hasSoundCard ? .noDevice(device: device) : .unknownDevice(device: device)
    case EHOSTDOWN, ECONNREFUSED: .noServer(device: device)
    case EBUSY, EAGAIN: .busy(device: device)
    case EACCES, EPERM: .notPermitted(device: device)
    case ENOMEM, EMFILE, ENFILE: .outOfResources(number == ENOMEM ? "memory" : "file descriptor")
    default: .deviceFailed(device: device, reason: alsaReason(-number))
    }
}

/// alsa-lib's words for an error number (below zero), as part of a sentence.
internal func alsaReason(_ error: Int32) -> String {
    guard let text = snd_strerror(error) else { return "error \(-error)" }
    return String(cString: text).lowercased()
}

private var hasFreeDescriptor: Bool {
    do throws(ResourceError) {
        _ = try WakeUp()
        return true
    } catch { return false }
}

/// Whether the kernel knows any sound card.
internal var hasSoundCard: Bool {
    var card: Int32 = -1
    return snd_card_next(&card) == 0 && card >= 0
}

/// Whether the configuration defines a PCM of that name, with any arguments.
private func isDefined(_ device: String) -> Bool {
    var top: OpaquePointer?
    guard snd_config_update_ref(&top) >= 0, let top else { return false }
    defer { snd_config_unref(top) }
    let name = device.prefix { $0 != ":" }
    var found: OpaquePointer?
    return snd_config_search(top, "pcm.\(name)", &found) == 0
}
