internal import ALSABackend
package import AudioIO
internal import Configuration

/// Prints the sound cards of a direction, or the names of all its devices; returns the exit status.
package func listDevices(_ direction: StreamDirection, cards: Bool) throws -> Int32 {
    let rows =
        cards
        ? SoundDevices.cards(direction).flatMap { lines(on: $0, direction) }
        : SoundDevices.all(direction).map(\.description)
    guard !rows.isEmpty else {
        let verb = direction == .capture ? "record" : "play"
        throw cards
            ? CommandError(
                .device, "this machine has no sound card that can \(verb)",
                remedy: "plug one in, or use -L to list what a sound server offers")
            : CommandError(
                .device, "no sound device can \(verb) here", remedy: "plug in a sound card, or start the sound server")
    }
    return try printLines(rows)
}

/// A card and what it supports, in two lines.
private func lines(on card: SoundDevice, _ direction: StreamDirection) -> [String] {
    do throws(AudioError) {
        return [card.description, "    \(try DeviceCapabilities(of: card.name, direction))"]
    } catch {
        if case .busy = error { return [card.description, "    in use by another program"] }
        return [card.description, "    \(error.message)"]
    }
}
