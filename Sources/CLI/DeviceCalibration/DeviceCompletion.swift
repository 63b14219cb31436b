internal import ALSABackend
package import AudioIO
package import Configuration

/// The devices of a direction, for completion: what `-L` lists.
package func deviceCompletion(_ direction: StreamDirection) -> Completion {
    .words(SoundDevices.all(direction).map { ($0.name, $0.summary) })
}
