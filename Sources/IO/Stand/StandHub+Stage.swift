internal import NIOCore
internal import Transport

/// What plays, and set lists.
extension StandHub {
    /// Another plan, or another entry of the set list, plays.
    func show(_ stage: PlayStage) {
        // A run that goes on with the song of a kept list tells its plan first.
        defer { keepsSong = false }
        if !keepsSong, self.stage.piece != stage.piece || self.stage.entry != stage.entry { choose(nil) }
        self.stage = stage
        tellStage()
        lookForScores()
    }

    /// A player has chosen a song of a kept set list: all devices show its score, and its tempo counts.
    func play(song id: String, on device: LiveDevice) {
        let store = store
        device.work {
            try store.song(id)
        } then: { [self] song in
            guard let song else {
                return device.fail(
                    RefusedMessage(problem: "that song is on no list any more", remedy: "choose another one"))
            }
            choose(song)
            tellStage()
            if let tempo = song.tempo { ask(.tempo(tempo)) }
            if course.isRunning { ask(.jump(bar: 1)) }
        }
    }

    private func choose(_ song: StoredSong?) {
        guard song != chosen else { return }
        chosen = song
        let store = store
        // What cannot be kept is not gone back to.
        _ = work { try store.keep(song: song) }
    }

    /// Keeps a change of a set list, and tells everyone.
    func take(_ change: SetListChange, from device: LiveDevice) {
        let store = store
        device.work(settling: change.id) {
            try store.apply(change)
        } then: { [self] in
            tellSets()
        }
    }

    /// Whoever changes them by hand sees no delay, and whoever changes them two hundred times a second takes no core.
    static let stepOfSets: TimeAmount = .milliseconds(100)

    /// Tells the set lists as they are now. Changes that come soon after are told together.
    func tellSets() {
        tellingSets.run { [self] done in
            let store = store
            work { try store.sets() }.assumeIsolated().whenComplete { [self] result in
                if case .success(let kept) = result { broadcast(.sets, ServerMessage.Sets(sets: sets(kept))) }
                done()
            }
        }
    }

    func tellStage() { broadcast(.stage, stageMessage) }

    /// What plays, for devices.
    var stageMessage: StageMessage {
        StageMessage(
            stage, own: list.score(named: stage.piece),
            chosen: chosen.map { song in
                StoredSong(id: song.id, score: score(of: song) ?? song.score, title: song.title, tempo: song.tempo)
            }, isListed: list.leftOut.coming == 0)
    }

    /// The score of a song; where its file was written anew, the file of that name.
    private func score(of song: StoredSong) -> String? {
        list.scores.contains { $0.id == song.score } ? song.score : list.score(named: song.title)
    }

    /// A command of the server's own: nobody waits for its outcome.
    private func ask(_ action: TransportCommand.Action) {
        _ = queue.push(
            TransportCommand(
                id: Identity.random(), action: action, when: course.isRunning ? .bar : .now,
                pressed: options.clock.moment(ofReading: options.clock.now)))
    }

    /// The set list of the command line, and those that are kept.
    func sets(_ kept: [StoredSet]) -> [SetMessage] {
        let present = Set(list.scores.map(\.id))
        // A file that was written anew is another score of the same name.
        let named = Dictionary(
            list.scores.map { ($0.title.lowercased(), $0.id) }, uniquingKeysWith: { first, _ in first })
        let own = SetMessage(
            id: nil, name: stage.list,
            entries: stage.entries.map { SetMessage.Entry($0, score: list.score(named: $0)) })
        return (stage.entries.isEmpty ? [] : [own])
            + kept.map { set in
                SetMessage(
                    id: set.id, name: set.name,
                    entries: set.songs.map {
                        SetMessage.Entry(
                            $0.title, score: present.contains($0.score) ? $0.score : named[$0.title.lowercased()],
                            id: $0.id, tempo: $0.tempo)
                    })
            }
    }
}
