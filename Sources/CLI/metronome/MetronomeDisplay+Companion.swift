internal import ALSABackend
internal import AudioIO
internal import MetronomeEngine
internal import TerminalUI
internal import Timebase
internal import Transport

/// What the display does for a companion, such as the music stand: it tells the beats to come with their moments, and obeys.
extension MetronomeDisplay {
    /// Acts on what players ask, and tells what has changed.
    mutating func accompany(_ stream: inout PlaybackStream<MetronomeEngine>) {
        guard let companion = accompaniment?.companion else { return }
        for command in companion.queue.take() {
            hasChanged = true
            companion.settle(command.id, obey(command))
        }
        stopWhereAsked(&stream)
        keepRun(companion)
        tellStage(companion)
        tellCourse(companion, &stream)
        guard companion.status != accompaniment?.status else { return }
        accompaniment?.status = companion.status
        model.companion = companion.status
        hasChanged = true
    }

    /// Follows a beat that was rendered.
    mutating func follow(_ beat: BeatEvent) {
        guard beat.isBeat, accompaniment != nil else { return }
        let isOther = accompaniment?.planCount != keys.planCount
        // The engine had passed the beat at which it was to stop.
        if let stop = accompaniment?.stopFrame, beat.frame >= stop { accompaniment?.stopFrame = nil }
        let (grid, factor) = (keys.grid, keys.factor)
        accompaniment?.follower.follow(
            beat, plan: grid.scaled(by: factor) ?? grid, isOther: isOther, hasMoved: keys.hasMoved)
        // A plan that waits for its bar is looked for until then.
        if isOther, beat.beat == 1 || beat.tempo != keys.tempoBefore { accompaniment?.planCount = keys.planCount }
        keys.tempoBefore = beat.tempo
    }

    /// Tells that a beat is heard now.
    mutating func tellHeard(_ beat: BeatEvent, at heard: MonotonicTime) {
        guard let accompaniment, let number = accompaniment.follower.number(of: beat) else { return }
        let told = CourseFollower.Beat(event: beat, number: number)
        accompaniment.companion.hear(CourseBeat(told, heard: heard, isMuted: model.isMuted))
        guard beat.beat == 1, beat.section >= 0, beat.tempo > 0 else { return }
        self.accompaniment?.run?.bar = max(1, beat.bar)
        self.accompaniment?.run?.began = heard
    }

    /// Keeps where it is, so that another run can go on there.
    private mutating func keepRun(_ companion: any PlayCompanion) {
        var run = accompaniment?.run ?? PlayRun(isRunning: model.isRunning)
        let entry = keys.list?.index ?? 0
        // Another entry, and a start after a stop, begins with the first bar.
        if run.entry != entry || (model.isRunning && !run.isRunning) { (run.bar, run.began) = (1, nil) }
        (run.isRunning, run.entry) = (model.isRunning, entry)
        (run.tempoNumerator, run.tempoDenominator) = (keys.factor.numerator, keys.factor.denominator)
        accompaniment?.run = run
        guard run != accompaniment?.keptRun else { return }
        accompaniment?.keptRun = run
        companion.keep(run)
    }

    /// The plan has ended, and the companion waits for the next start.
    mutating func rest() {
        keys.hasMoved = true
        model.run(false)
        model.say("the end: space starts with the first bar")
        hasChanged = true
    }

    private mutating func obey(_ command: TransportCommand) -> TransportOutcome {
        let outcome = keys.obey(command, model: &model)
        if case .stop = command.action, outcome == .done, command.when != .now, model.isRunning {
            let frame = accompaniment?.follower.stop(atBar: command.when == .bar)
            accompaniment?.stopFrame = frame
        }
        return outcome
    }

    /// Shows that a stop has taken effect which waited for its beat.
    private mutating func stopWhereAsked(_ stream: inout PlaybackStream<MetronomeEngine>) {
        guard let frame = accompaniment?.stopFrame, let heard = heardTime(of: frame, &stream), heard <= .now() else {
            return
        }
        accompaniment?.stopFrame = nil
        model.run(false)
        hasChanged = true
    }

    private mutating func tellStage(_ companion: any PlayCompanion) {
        if accompaniment?.piece?.planCount != keys.planCount {
            let map = (try? keys.command.mapFile()) ?? nil
            accompaniment?.piece = (keys.planCount, PlayStage(keys.grid, map: map))
        }
        var stage = accompaniment?.piece?.stage ?? PlayStage()
        // A map is called by its name: its path is nobody else's business.
        stage.title = keys.list == nil && !stage.piece.isEmpty ? stage.piece : model.title
        if let list = keys.list {
            stage.list = list.path.split(separator: "/").last.map(String.init) ?? list.path
            (stage.entries, stage.entry) = (list.entries.map(\.name), list.index)
            stage.piece = list.current.name
        }
        guard stage != accompaniment?.stage else { return }
        accompaniment?.stage = stage
        companion.show(stage)
    }

    private mutating func tellCourse(
        _ companion: any PlayCompanion, _ stream: inout PlaybackStream<MetronomeEngine>
    ) {
        guard var own = accompaniment else { return }
        defer { accompaniment = own }
        if own.wasRunning, !model.isRunning { own.follower.stop() }
        own.wasRunning = model.isRunning
        if own.wasMuted != model.isMuted {
            own.wasMuted = model.isMuted
            own.follower.renew()
        }
        guard model.isRunning else {
            let isOther = own.resting?.planCount != keys.planCount
            guard own.published?.revision != own.follower.revision || isOther else { return }
            // A start begins with the first bar: the model's place is that of the last beat.
            if isOther {
                own.resting = (keys.planCount, (keys.grid.scaled(by: keys.factor) ?? keys.grid).place(of: .none).tempo)
            }
            var course = PlayCourse()
            (course.revision, course.tempo) = (own.follower.revision, own.resting?.tempo ?? model.place.tempo)
            companion.publish(course)
            return own.published = (course.revision, .min, .now())
        }
        let isNew = own.published?.revision != own.follower.revision
        var isOff = false
        if !isNew, let old = own.published, old.frame != .min, let now = heardTime(of: old.frame, &stream) {
            let drift = now - old.heard
            isOff = drift > Accompaniment.tolerance || drift < .zero - Accompaniment.tolerance
        }
        guard isNew || isOff || own.follower.sinceTaken >= PlayCourse.renewal else { return }
        if isOff { own.follower.renew() }
        let heardUpTo = frame(heardAt: .now(), &stream)
        guard let heardUpTo,
            let probe = own.follower.ahead.first?.event.frame ?? own.follower.rendered.last?.event.frame,
            let moment = heardTime(of: probe, &stream)
        else { return }
        var course = PlayCourse()
        (course.revision, course.isRunning, course.tempo) = (own.follower.revision, true, model.place.tempo)
        course.beats = own.follower.take(heardUpTo: heardUpTo).compactMap { beat in
            heardTime(of: beat.event.frame, &stream).map { CourseBeat(beat, heard: $0, isMuted: model.isMuted) }
        }
        companion.publish(course)
        own.published = (course.revision, probe, moment)
    }
}
