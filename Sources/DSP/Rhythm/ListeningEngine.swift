internal import CRealtime
public import Music
internal import Realtime
public import Timebase

/// Hears how a player plays to a metronome: the clicks go out of what the microphone hears, the notes that remain are found and
/// compared with the grid.
///
/// Everything has one time axis: the frames of the metronome. The caller gives each stroke that is played, and for each block of
/// samples where on that axis it lies. Live and in files it is the same engine; a file is a block at its own position.
///
/// ```swift
/// var engine = try ListeningEngine(sampleRate: 48.kilohertz)
/// var strokes = try PlanStrokes(PracticePlan(tempo: Tempo(120)), sampleRate: 48.kilohertz)
/// for _ in 0..<8 { if let stroke = strokes.next() { engine.expect(stroke) } }
/// let samples = [Float](repeating: 0, count: 48_000)  // from a microphone
/// engine.process(samples.span, at: 0)
/// while let note = engine.nextNote() { print(note.point.stroke.beat, note.lateness) }
/// ```
///
/// A note is told when it is certain which point it belongs to: as soon as a later point is known, otherwise 150 ms after it. At
/// most 256 notes and 512 points wait to be taken.
///
/// - Complexity: that of `ClickCanceller` and `OnsetDetector`, under 2 % of a core at 48 kHz. Nothing allocates, locks or throws
///   after `init`, and the compiler checks that.
public struct ListeningEngine: ~Copyable, Sendable {
    /// The rate of the samples, and of the metronome's frames.
    public let sampleRate: Hertz
    private let clicks: PlayedClicks.Shape
    private var canceller: ClickCanceller
    private var detector: OnsetDetector
    private var levels: ClickLevels
    private var grid: BeatGrid
    private var planned: BoundedQueue<PlannedClick>
    private var unplaced: BoundedQueue<PlacedOnset>
    private var notes: BoundedQueue<PlayedNote>, passed: BoundedQueue<GridPoint>
    private var noteCount = 0, passedCount = 0
    /// What a follower wants to know too: the notes wherever they are, and the beats of a tracker.
    internal var heard = BoundedQueue<PlacedOnset>(capacity: 64, filler: PlacedOnset())
    private var tracker: TempoTracker?
    private let block: SampleBuffer<Float>
    /// How many samples were processed, and where on the time axis the last block began.
    private var processed: Int64 = 0
    private var axis = TimeAxis()
    /// Samples from a frame of the metronome to the sample in which its click is announced; whole, so that all clicks are
    /// announced alike.
    private var clickShift: Int64 = 0
    /// Whether the axis is known to a fraction of a sample, as that of a recording whose clicks were found, and clicks are
    /// announced where they are by it.
    internal var isAxisExact = false

    /// An engine for one sample rate, 8 to 192 kHz. Allocates, half a megabyte for each click sound at 48 kHz.
    ///
    /// - Parameter clicks: those that the microphone hears; none, if it hears none.
    public init(sampleRate: Hertz, clicks: PlayedClicks = .none) throws(OnsetError) {
        try self.init(sampleRate: sampleRate, clicks: clicks, tracker: nil)
    }

    /// An engine that also follows the beat of what remains.
    internal init(
        sampleRate: Hertz, clicks: PlayedClicks, tracker: consuming TempoTracker?
    ) throws(OnsetError) {
        // A metronome that follows begins when somebody plays.
        let canceller = try ClickCanceller(
            sampleRate: sampleRate, sounds: clicks.waves, isAmongNotes: tracker != nil)
        var limits = OnsetConstants()
        // A follower wants notes at once and placed to the millisecond: no soft ones that are told late.
        if tracker != nil { (limits.foretold, limits.pitched) = (0, 0) }
        let detector = try OnsetDetector(sampleRate: sampleRate, constants: limits)
        self.sampleRate = sampleRate
        self.clicks = clicks.shape
        self.canceller = canceller
        self.detector = detector
        levels = ClickLevels(sampleRate: sampleRate.value)
        grid = BeatGrid(sampleRate: sampleRate.value)
        planned = BoundedQueue(capacity: 512, filler: PlannedClick())
        unplaced = BoundedQueue(capacity: 64, filler: PlacedOnset())
        notes = BoundedQueue(capacity: 256, filler: PlayedNote.filler)
        passed = BoundedQueue(capacity: 512, filler: GridPoint.filler)
        block = SampleBuffer(count: 512)
        self.tracker = tracker
    }

    /// Gives the next stroke of the metronome, at the latest 10 ms before the microphone hears it and at most 4 s. The end of a
    /// plan is none.
    @_noLocks public mutating func expect(_ stroke: BeatEvent) {
        grid.add(stroke)
        plan(stroke)
    }

    /// Processes mono samples, full scale ±1.
    ///
    /// - Parameters:
    ///   - samples: a block of any size.
    ///   - position: the frame of the metronome that is heard, at the player, when the first of the samples reaches the
    ///     microphone. It may lie between two.
    ///   - framesPerSample: how many frames the metronome plays in the time of one sample: 1, but for two clocks that differ.
    @_noLocks public mutating func process(
        _ samples: borrowing Span<Float>, at position: Double, framesPerSample: Double = 1
    ) {
        forEachPart(samples, at: position, framesPerSample: framesPerSample, isHeard: true)
    }

    /// The next note of the player, if one is known.
    @_noLocks public mutating func nextNote() -> PlayedNote? { notes.pop() }

    /// The next point of the grid that is over: no note will belong to it after those that were told.
    @_noLocks public mutating func nextPoint() -> GridPoint? { passed.pop() }

    /// The next beat that the tracker has found, if there is one, on the time axis.
    @_noLocks internal mutating func nextTrackedBeat() -> TrackedBeat? {
        guard var beat = tracker?.nextBeat() else { return nil }
        beat.frame = axis.frame(of: beat.frame)
        return beat
    }

    /// Where on the time axis the samples end that were processed.
    public var position: Double { @_noLocks get { axis.frame(of: Double(processed)) } }

    /// By how many decibels the clicks of the count-in became louder from the first to the last; `nil`: fewer than three were
    /// heard so far. An echo canceller or automatic gain in the path changes them, an honest path does not.
    public var clickLevelChange: Double? { @_noLocks get { levels.change(before: processed) } }

    /// How many notes were told of no point, since they lie before the first or after the last.
    package private(set) var notesOutside = 0

    /// How many clicks were announced too late to be taken out.
    public var missedClicks: Int { @_noLocks get { canceller.missedClicks } }
}

extension ListeningEngine {
    @_noLocks internal mutating func plan(_ stroke: BeatEvent) {
        guard let click = PlannedClick(stroke, of: clicks) else { return }
        planned.push(click)
    }

    /// Takes the clicks out of each part of the samples, and hears the notes in it or not.
    @_noLocks internal mutating func forEachPart(
        _ samples: borrowing Span<Float>, at position: Double, framesPerSample: Double, isHeard: Bool
    ) {
        axis = TimeAxis(sample: processed, frame: position, framesPerSample: framesPerSample)
        var index = 0
        while index < samples.count {
            let count = min(block.count, samples.count - index)
            for n in 0..<count { block.unsafeElements[n] = samples[index + n] }
            announce(upTo: processed + Int64(count))
            if isHeard { hear(count) } else { cancel(block.unsafeElements.extracting(0..<count)) }
            index += count
            processed += Int64(count)
            if isHeard { place() }
        }
    }

    @_noLocks internal mutating func rewind() {
        canceller.rewind()
        while planned.pop() != nil {}
        (processed, axis, clickShift) = (0, TimeAxis(), 0)
        levels.reset()
    }

    /// Announces the clicks that arrive soon.
    @_noLocks private mutating func announce(upTo end: Int64) {
        guard clicks.layerCount > 0, planned.count > 0 else { return }
        // 100 ms ahead, so that few are on their way.
        let reach = end + Int64(sampleRate.value / 10)
        if isAxisExact {
            while planned.count > 0, axis.sample(of: Double(planned[0].frame)) < Double(reach) {
                let place = axis.sample(of: Double(planned[0].frame) + planned[0].fraction)
                let sample = rt_round(place)
                announce(planned[0], at: Int64(sample), fraction: place - sample)
                _ = planned.pop()
            }
            return
        }
        // Within 5 ms a difference does no harm: the canceller follows it. Two clocks that differ get there some day.
        let exact = axis.sample(of: 0)
        if abs(exact - Double(clickShift)) > 0.005 * sampleRate.value { clickShift = Int64(rt_round(exact)) }
        while planned.count > 0, planned[0].frame + clickShift < reach {
            announce(planned[0], at: planned[0].frame + clickShift, fraction: planned[0].fraction)
            _ = planned.pop()
        }
    }

    @_noLocks private mutating func announce(_ click: PlannedClick, at sample: Int64, fraction: Double) {
        canceller.expect(click.sound, at: sample, fraction: fraction)
        if click.isCountIn { levels.measure(click.sound, from: sample) }
    }

    /// Processes the first samples of the block.
    @_noLocks private mutating func hear(_ count: Int) {
        let part = block.unsafeElements.extracting(0..<count)
        if clicks.layerCount > 0 {
            levels.hear(part, at: processed)
            cancel(part)
            detector.process(UnsafeBufferPointer(part).span, after: canceller)
            tracker?.process(UnsafeBufferPointer(part).span, after: canceller)
        } else {
            detector.process(UnsafeBufferPointer(part).span)
            tracker?.process(UnsafeBufferPointer(part).span)
        }
        while let onset = detector.nextOnset() {
            guard case .refined = onset.stage else { continue }
            var placed = PlacedOnset()
            (placed.onset, placed.frame) = (onset, axis.frame(of: onset.frame))
            unplaced.push(placed)
            heard.push(placed)
        }
    }

    @_noLocks private mutating func cancel(_ samples: UnsafeMutableBufferPointer<Float>) {
        var span = samples.mutableSpan
        canceller.process(&span)
    }

    /// Finds the points of the notes, and those that are over.
    @_noLocks private mutating func place() {
        let present = position
        let patience = 0.15 * sampleRate.value
        while unplaced.count > 0 {
            let (onset, frame) = (unplaced[0].onset, unplaced[0].frame)
            let isCertain = grid.end > frame || present > frame + patience
            guard isCertain else { break }
            _ = unplaced.pop()
            guard let (place, belongs) = grid.place(of: frame) else {
                notesOutside += 1
                continue
            }
            var note = PlayedNote(
                onset, frame: frame, point: grid.points[place], isNear: belongs, sampleRate: sampleRate.value)
            note.number = noteCount
            note.isExtra = !belongs || grid.points[place].noteCount > 0
            if belongs { grid.points[place].noteCount += 1 }
            noteCount += 1
            notes.push(note)
        }
        // A point is over when the last note that may belong to it is told.
        var limit = present - 2 * patience
        if unplaced.count > 0 { limit = min(limit, unplaced[0].frame - patience) }
        while let point = grid.passed(before: limit) { passed.push(point) }
    }
}

/// The relation between samples of the microphone and frames of the metronome.
internal struct TimeAxis: BitwiseCopyable, Sendable {
    private var sample = 0.0, frame = 0.0, framesPerSample = 1.0

    @_noLocks init() {}

    @_noLocks init(sample: Int64, frame: Double, framesPerSample: Double) {
        (self.sample, self.frame, self.framesPerSample) = (Double(sample), frame, framesPerSample)
    }

    @_noLocks func frame(of sample: Double) -> Double { frame + (sample - self.sample) * framesPerSample }

    @_noLocks func sample(of frame: Double) -> Double { sample + (frame - self.frame) / framesPerSample }
}

/// An onset on the metronome's time axis.
internal struct PlacedOnset: BitwiseCopyable, Sendable {
    var onset = Onset()
    var frame = 0.0
    @_noLocks init() {}
}
