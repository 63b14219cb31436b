internal import NIOCore
internal import Transport

/// What plays, and set lists.
extension StandHub {
    /// Another plan, or another entry of the set list, plays.
    func show(_ stage: PlayStage) {
        if self.stage.piece != stage.piece || self.stage.entry != stage.entry { chosen = nil }
        self.stage = stage
        tellStage()
    }

    /// A player has chosen a song of a kept set list: all devices show its score, and its tempo counts.
    func play(song id: String, on device: LiveDevice) {
        let store = store
        work { try store.song(id) }.assumeIsolated().whenComplete { [self] result in
            switch result {
            case .success(let song?):
                chosen = song
                tellStage()
                if let tempo = song.tempo { ask(.tempo(tempo)) }
                if course.isRunning { ask(.jump(bar: 1)) }
            case .success(nil):
                device.fail(RefusedMessage(problem: "that song is on no list any more", remedy: "choose another one"))
            case .failure(let error): device.fail(error)
            }
        }
    }

    /// Keeps a change of a set list, and tells everyone.
    func take(_ change: SetListChange, from device: LiveDevice) {
        let (store, shelf) = (store, shelf)
        work {
            try store.apply(change)
            return (try shelf.names(), try store.sets())
        }.assumeIsolated().whenComplete { [self] result in
            switch result {
            case .success(let (scores, kept)): broadcast(ServerMessage.Sets(sets: sets(scores, kept)))
            case .failure(let error): device.fail(error)
            }
        }
    }

    private func tellStage() {
        let shelf = shelf
        work { try shelf.names() }.assumeIsolated().whenSuccess { [self] in broadcast(message(of: $0)) }
    }

    /// What plays, for devices.
    func message(of scores: [ScoreName]) -> StageMessage {
        StageMessage(stage, own: Self.score(named: stage.piece, among: scores), chosen: chosen)
    }

    /// A command of the server's own: nobody waits for its outcome.
    private func ask(_ action: TransportCommand.Action) {
        _ = queue.push(
            TransportCommand(
                id: Identity.random(), action: action, when: course.isRunning ? .bar : .now,
                pressed: options.clock.moment(ofReading: options.clock.now)))
    }

    /// The set list of the command line, and those that are kept.
    func sets(_ scores: [ScoreName], _ kept: [StoredSet]) -> [SetMessage] {
        let present = Set(scores.map(\.id))
        let own = SetMessage(
            id: nil, name: stage.list,
            entries: stage.entries.map { SetMessage.Entry($0, score: Self.score(named: $0, among: scores)) })
        return (stage.entries.isEmpty ? [] : [own])
            + kept.map { set in
                SetMessage(
                    id: set.id, name: set.name,
                    entries: set.songs.map {
                        SetMessage.Entry(
                            $0.title, score: present.contains($0.score) ? $0.score : nil, id: $0.id, tempo: $0.tempo)
                    })
            }
    }

    /// The score of a name, whatever the case.
    private static func score(named name: String, among scores: [ScoreName]) -> String? {
        scores.first { $0.title.lowercased() == name.lowercased() }?.id
    }
}
