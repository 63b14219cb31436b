internal import CRealtime
public import Music
internal import Realtime
internal import Spectral

/// Takes a metronome's own clicks out of what the microphone hears, so that the player remains.
///
/// It knows when each click is played and which sound it has, and learns what loudspeaker and room make of it: after a
/// count-in in which every sound is heard, 12 to 20 dB of it are gone. It follows a path that changes and two clocks that
/// differ, and tells an `OnsetDetector` what it could not take out.
///
/// ```swift
/// func listen(_ block: inout [Float], to click: (sound: Int, frame: Int64), with canceller: inout ClickCanceller,
///             and detector: inout OnsetDetector) {
///     canceller.expect(click.sound, at: click.frame)
///     var samples = block.mutableSpan
///     canceller.process(&samples)
///     detector.process(block.span, after: canceller)
/// }
/// ```
///
/// - Complexity: some 100 transforms of 21 ms per click, over 28 ms from when its echo has ended, 341 ms after its beginning:
///   at most 32 steps of a transform or less every 1.3 ms. Nothing allocates, locks or throws after `init`, and the compiler
///   checks that.
public struct ClickCanceller: ~Copyable, Sendable {
    /// How many clicks may be announced and not have ended: 16 clicks in 341 ms are 47 a second.
    private static var mostClicks: Int { @_noLocks get { 32 } }
    private static var mostUnderWay: Int { @_noLocks get { 16 } }
    /// A sound that was never heard deafens for 250 ms.
    private static var deafSeconds: Double { @_noLocks get { 0.25 } }
    /// Steps of the learning in 1.3 ms: a click takes 28 ms. Where several wait, twice as many keep up with 70 clicks a second.
    private static var steps: Int { @_noLocks get { 16 } }
    /// Far above full scale in each feature: nothing stands out of it.
    private static var deafening: Float { @_noLocks get { 1_000 } }

    /// How many samples were processed.
    public private(set) var position: Int64 = 0
    /// How many clicks were announced too late to be taken out, or more than fit.
    public private(set) var missedClicks = 0

    /// How many steps of learning were done, each of a row of cells: what the load of a block is told by.
    @_spi(Measurement) public private(set) var learningSteps = 0

    private let sizes: EchoSizes
    private var echoes: ClickEchoes
    private var delays: EchoDelays
    private var learning: EchoLearning
    private let features: EchoFeatures
    private var history: SampleHistory
    private var noise: QuietPower
    private var expected = ExpectedClicks(capacity: mostClicks)
    /// Clicks under way or over.
    private let slots: SampleBuffer<ExpectedClick>
    private let predictions: SampleBuffer<Float>, floors: SampleBuffer<Float>
    /// Whether the echo of a slot has ended and was learnt from.
    private let isLearnt: SampleBuffer<Bool>
    /// The slot that is being learnt from.
    private var learntSlot = 0

    /// A canceller for one sample rate, 8 to 192 kHz. Allocates, half a megabyte per sound at 48 kHz.
    ///
    /// - Parameters:
    ///   - sounds: the click of each sound as it is played, from its first sample on; levels that are played through a
    ///     loudspeaker which distorts are sounds of their own.
    ///   - isAmongNotes: whether somebody plays from the first click on, so that there is no count-in in which each sound is
    ///     heard alone. What is learnt of the notes with the clicks is then found out when they end.
    public init(sampleRate: Hertz, sounds: [[Float]], isAmongNotes: Bool = false) throws(OnsetError) {
        let sizes = try EchoSizes(sampleRate: sampleRate)
        let onsets = try OnsetSizes(sampleRate: sampleRate)
        let echoes = try ClickEchoes(sizes: sizes, waves: sounds)
        learning = try EchoLearning(sizes: sizes, isAmongNotes: isAmongNotes)
        self.sizes = sizes
        self.echoes = echoes
        delays = EchoDelays(sounds: sounds.count, sampleRate: sampleRate.value)
        features = EchoFeatures(sizes: sizes, onsets: onsets, layout: OnsetBandLayout(sizes: onsets))
        // What is left of a click waits as long again until it is learnt from.
        history = SampleHistory(length: 2 * sizes.length)
        noise = QuietPower(sizes: onsets)
        slots = SampleBuffer(count: Self.mostUnderWay, repeating: ExpectedClick())
        isLearnt = SampleBuffer(count: Self.mostUnderWay, repeating: true)
        predictions = SampleBuffer(count: Self.mostUnderWay * sizes.length)
        floors = SampleBuffer(count: Self.mostUnderWay * sizes.frames * features.count)
    }

    /// Announces a click, at the latest 2 ms before it arrives.
    ///
    /// - Parameters:
    ///   - sound: an index into the sounds of `init`.
    ///   - frame: the sample of the microphone in which the first sample of the click is predicted to arrive. A constant error
    ///     of some milliseconds does no harm.
    ///   - fraction: how far after that sample it is predicted, -1/2 to 1/2.
    @_noLocks public mutating func expect(_ sound: Int, at frame: Int64, fraction: Double = 0) {
        let isKnown = sound >= 0 && sound < echoes.sounds.count
        if !isKnown || !expected.add(sound, at: frame, fraction: fraction) { missedClicks += 1 }
    }

    /// Takes the clicks out of mono samples, full scale ±1, in place.
    @_noLocks public mutating func process(_ samples: inout MutableSpan<Float>) {
        var index = 0
        while index < samples.count {
            beginExpected()
            let count = min(samples.count - index, nextEvent())
            let room = history.extend(by: count)
            for n in 0..<count {
                let x = samples[index + n]
                room[n] = abs(x) <= FrameSlicer.ceiling ? x : 0
            }
            subtract(from: room)
            for n in 0..<count {
                samples[index + n] = room[n]
                noise.add(room[n])
            }
            index += count
            position += Int64(count)
            if position % visit == 0 { learn() }
        }
        beginExpected()
    }

    /// Forgets all clicks and everything learnt.
    @_noLocks public mutating func reset() {
        echoes.reset()
        delays.reset()
        forgetSound()
    }

    @_noLocks private mutating func forgetSound() {
        learning.reset()
        history.clear()
        noise.reset()
        for slot in 0..<slots.count { slots.unsafeElements[slot] = ExpectedClick() }
        for slot in 0..<isLearnt.count { isLearnt.unsafeElements[slot] = true }
        (position, missedClicks, learningSteps) = (0, 0, 0)
        expected.removeAll()
    }

    /// Begins again with what was learnt: the same recording is heard from its beginning.
    @_noLocks internal mutating func rewind() {
        echoes.rewind()
        delays.rewind()
        forgetSound()
    }

    /// Writes what may be left of clicks in the detector's hop that ends at `end`.
    @_noLocks internal func write(floor: inout ClickFloor, endingAt end: Int64, _ onsets: OnsetSizes) {
        floor.clear()
        guard let features = UnsafePointer(floors.unsafeElements.baseAddress) else { return }
        let window = Double(onsets.window)
        // Of the predictor's newest 4 ms.
        let low = 2.0 * Double(onsets.hop)
        for slot in 0..<slots.count where slots.unsafeElements[slot].isUnderWay {
            let click = slots.unsafeElements[slot]
            let time = end - (click.frame - Int64(sizes.lead))
            guard time > 0, time < sizes.length + sizes.hop else { continue }
            guard click.isKnown else {
                if !click.isSilent, Double(time) < Self.deafSeconds * sizes.sampleRate {
                    floor.add(everywhere: Self.deafening)
                }
                continue
            }
            self.features.add(
                features + slot * sizes.frames * self.features.count, bandTime: Double(time) - window / 2,
                bandReach: window / 4, lowTime: Double(time) - low, lowReach: low, to: &floor)
        }
    }
}

extension ClickCanceller {
    /// Samples between two times at which something is learnt: 1.3 ms.
    private var visit: Int64 { @_noLocks get { Int64(sizes.hop / 8) } }

    /// Samples until a click begins or something is learnt.
    @_noLocks private func nextEvent() -> Int {
        let next = visit - position % visit
        guard let frame = expected.nextFrame else { return Int(next) }
        return Int(max(1, min(next, frame - Int64(sizes.lead) - position)))
    }

    @_noLocks private func end(of click: ExpectedClick) -> Int64 {
        click.frame - Int64(sizes.lead) + Int64(sizes.length)
    }

    /// Moves the clicks that begin now from the announced ones into slots.
    @_noLocks private mutating func beginExpected() {
        while var click = expected.next(until: position + Int64(sizes.lead)) {
            guard let slot = freeSlot(), end(of: click) > position else {
                missedClicks += 1
                continue
            }
            click.isWhole = click.frame - Int64(sizes.lead) == position
            if !click.isWhole { missedClicks += 1 }
            click.isUnderWay = true
            let sound = echoes.sounds.unsafeElements[click.sound]
            (click.isKnown, click.isSilent) = (sound.count > 0 && !sound.isSilent, sound.count > 0 && sound.isSilent)
            click.delay = click.fraction + delays.delay(of: click.sound, at: click.frame)
            if click.isKnown, let prediction = predictions.unsafeElements.baseAddress,
                let floor = floors.unsafeElements.baseAddress
            {
                learning.predict(echoes, click.sound, delay: click.delay, into: prediction + slot * sizes.length)
                features.measure(
                    echoes, click.sound, at: click.frame, into: floor + slot * sizes.frames * features.count)
            }
            slots.unsafeElements[slot] = click
            isLearnt.unsafeElements[slot] = false
        }
    }

    /// The slot whose click is the longest over.
    @_noLocks private func freeSlot() -> Int? {
        var (best, oldest): (Int?, Int64) = (nil, .max)
        for slot in 0..<slots.count where isLearnt.unsafeElements[slot] {
            let click = slots.unsafeElements[slot]
            let frame = click.isUnderWay ? click.frame : .min
            if frame < oldest { (best, oldest) = (slot, frame) }
        }
        return best
    }

    /// Subtracts the echoes of the clicks under way from the samples from `position` on.
    @_noLocks private mutating func subtract(from samples: UnsafeMutableBufferPointer<Float>) {
        for slot in 0..<slots.count where !isLearnt.unsafeElements[slot] && slots.unsafeElements[slot].isKnown {
            let first = Int(position - (slots.unsafeElements[slot].frame - Int64(sizes.lead)))
            let count = min(samples.count, sizes.length - first)
            guard first >= 0, count > 0 else { continue }
            let from = slot * sizes.length + first
            for n in 0..<count { samples[n] -= predictions.unsafeElements[from + n] }
        }
    }

    /// Learns a little from the clicks whose echo has ended, the oldest first.
    @_noLocks private mutating func learn() {
        for _ in 0..<(waiting().count > 1 ? 2 * Self.steps : Self.steps) {
            if !learning.isBusy && !beginLearning() { return }
            guard let prediction = UnsafePointer(predictions.unsafeElements.baseAddress) else { return }
            learning.step(
                prediction + learntSlot * sizes.length, &echoes, &delays, neighbours: slots.unsafeElements)
            learningSteps += 1
            if !learning.isBusy { isLearnt.unsafeElements[learntSlot] = true }
        }
    }

    /// How many clicks have ended and were not learnt from, and the oldest of them.
    @_noLocks private func waiting() -> (count: Int, oldest: Int) {
        var (count, oldest) = (0, 0)
        for slot in 0..<slots.count
        where !isLearnt.unsafeElements[slot] && end(of: slots.unsafeElements[slot]) <= position {
            count += 1
            if count == 1 || slots.unsafeElements[slot].frame < slots.unsafeElements[oldest].frame { oldest = slot }
        }
        return (count, oldest)
    }

    /// Takes up the click that ended first; whether there is one.
    @_noLocks private mutating func beginLearning() -> Bool {
        while true {
            let (count, slot) = waiting()
            guard count > 0 else { return false }
            let click = slots.unsafeElements[slot]
            let age = Int(position - end(of: click)) + sizes.length
            if click.isWhole, age <= history.length, let remainder = history.latest(age).baseAddress {
                learntSlot = slot
                learning.begin(click, remainder, noise: noise.level, echoes)
                return true
            }
            isLearnt.unsafeElements[slot] = true
        }
    }
}
