internal import CRealtime
package import Music
package import Spectral
package import Synthesis
internal import Timebase

/// The clicks of a whole recording, each placed by its waveform.
///
/// `ClickListener` hears clicks as they come, and knows a sound only from its first click. Here the recording is heard to
/// its end first: clicks that sound alike are averaged, and each one is placed by its correlation with that mean. Hiss, the
/// losses of MP3 and OGG and a lower sample rate are in all of them alike, or average out. What is left tells how exact the
/// places are.
///
/// Not for the audio thread: it allocates. It holds 84 ms of sound for each click, up to `most` clicks.
package struct RecordedClicks: ~Copyable {
    package struct Click: Sendable, Hashable {
        /// The place of its instant in samples from the start; usually between two samples.
        package var position: Double
        /// Which sound it is: clicks of one number were compared with each other, and all sounds of the metronome have
        /// the number 0. `nil`: its waveform is like no other, and its onset was taken, or it may lie at
        /// several places.
        package var kind: Int?
        /// The standard error (one σ) of its place among the clicks of its kind, in samples.
        package var standardError: Double
    }

    /// The recording's rate times `factor`, at least 64 kHz, and the shortest distance of two clicks.
    private let rate: Int, spacing: Int, factor: Int
    private var upsampler: Upsampler
    private var filter: HighPass
    private var rises: BandRises
    private var samples: [Float] = []
    private var start: Int
    private var passages: [ClickPassage] = []
    private var waiting: [BandRises.Rise] = []
    private let known: [ClickSound]
    private let layout: PassageLayout
    /// The clicks of each sound, and those that sound like no others.
    private var kinds: [[ClickPassage]] = []
    private var alone: [ClickPassage] = []
    private var search: ClickSearch?
    /// Whether the first hearing found clicks that are alike.
    private var foundKinds = false
    /// The most clicks that a recording may have: 9,362 at 48 kHz, 78 minutes at 120 BPM.
    package var most: Int { layout.most }
    /// Whether it has more: what comes after them is not heard.
    package private(set) var isFull = false

    /// Silence before the recording, which may begin with a click.
    private let lead: Int

    /// - Parameters:
    ///   - sampleRate: of the recording, at least 1 kHz.
    ///   - sounds: the known sounds, such as all voices of the metronome.
    ///   - spacing: the shortest time between two clicks.
    package init(
        sampleRate: Hertz, knowing sounds: [ClickSound] = [], spacing: Duration = .milliseconds(50)
    ) throws(SpectralError) {
        let given = Int(sampleRate.value.rounded())
        factor = (63_999 + given) / given
        upsampler = Upsampler(factor: factor)
        rate = given * factor
        self.spacing = max(1, Int(spacing.inSeconds * Double(rate)))
        (known, lead) = (sounds, rate / 20)
        layout = PassageLayout(sampleRate: rate, factor: factor, spacing: self.spacing)
        filter = HighPass(sampleRate: given)
        rises = try BandRises(sampleRate: rate)
        start = -lead
        let silence = [Float](repeating: 0, count: lead)
        take(silence.span)
    }

    /// Takes in the next samples.
    package mutating func process(_ block: borrowing Span<Float>) {
        let filtered = prepared(block)
        take(filtered.span)
    }

    private mutating func take(_ block: borrowing Span<Float>) {
        for i in block.indices { samples.append(block[i]) }
        collect(rises.process(block))
        cut()
        let done = max(0, samples.count - rises.delay - 3 * lead)
        samples.removeFirst(done)
        start += done
    }

    /// The rises of clicks: within `spacing` the largest.
    private mutating func collect(_ rises: [BandRises.Rise]) {
        for var rise in rises {
            rise.place -= lead
            if let last = waiting.last ?? passages.last?.rise, rise.place - last.place < spacing {
                guard rise.ratio > 4 * last.ratio else { continue }
                if waiting.isEmpty { passages.removeLast() } else { waiting.removeLast() }
            }
            waiting.append(rise)
        }
    }

    private mutating func cut(isEnd: Bool = false) {
        while let rise = waiting.first {
            let range = layout.range(around: rise.place)
            guard isEnd || range.upperBound <= start + samples.count else { return }
            guard passages.count < most else {
                (isFull, waiting) = (true, [])
                return
            }
            let part = range.map { samples.indices.contains($0 - start) ? samples[$0 - start] : 0 }
            passages.append(ClickPassage(samples: part, start: range.lowerBound, rise: rise))
            waiting.removeFirst()
        }
    }

    /// Ends the recording: finds which of its clicks sound alike.
    package mutating func finish() {
        let silence = [Float](repeating: 0, count: lead)
        take(silence.span)
        collect(rises.finish())
        cut(isEnd: true)
        // 40 dB below the loudest is something else.
        let loudest = passages.map(\.rise.power).max() ?? 0
        passages.removeAll { $0.rise.power < loudest * 1e-4 }
        // In hiss no rise may be strong; then the waveforms alone tell clicks from chance.
        let strong = passages.filter { $0.rise.ratio >= BandRises.strong }
        alone = strong.count < 3 ? passages : strong
        var others = strong.count < 3 ? [] : passages.filter { $0.rise.ratio < BandRises.strong }
        let areAllWeak = strong.count < 3
        passages = []
        var unlike: [ClickPassage] = []
        // Each search compares one click with all others.
        while !alone.isEmpty, unlike.count < 24, kinds.count < 32 {
            if let kind = layout.kind(among: &alone, and: &others) {
                kinds.append(kind)
            } else {
                unlike.append(alone.removeFirst())
            }
        }
        alone = areAllWeak ? [] : unlike + alone
    }

    /// Takes in the recording a second time, from its start, and finds the clicks that its noise hid: wherever it is like
    /// those that were found.
    package mutating func processAgain(_ block: borrowing Span<Float>) throws(SpectralError) {
        if search == nil {
            filter = HighPass(sampleRate: rate / factor)
            upsampler = Upsampler(factor: factor)
            (samples, start) = ([], 0)
            let sounds = try sounds()
            // Their places have been told; the room is for those of this hearing.
            (foundKinds, kinds) = (!kinds.isEmpty, [])
            search = try ClickSearch(
                for: sounds, quietest: foundKinds ? 0.25 : 0, layout: layout, spacing: spacing,
                most: most - alone.count)
        }
        let filtered = prepared(block)
        search?.process(filtered.span)
        isFull = isFull || search?.isFull == true
    }

    private mutating func prepared(_ block: borrowing Span<Float>) -> [Float] {
        var prepared: [Float] = []
        prepared.reserveCapacity(block.count * factor)
        for i in block.indices { upsampler.add(filter.next(safe(block[i])), to: &prepared) }
        return prepared
    }

    /// Ends the second hearing; false where it found nothing, and `clicks` of the first stand.
    package mutating func finishAgain() -> Bool {
        guard var found = search.take()?.finish(), !found.isEmpty else { return false }
        if !foundKinds {
            // All sounds were looked for, of which the recording has one: the one that is strongest in sum.
            let levels = AccentLevel.audible.count
            let voices = Dictionary(grouping: found) { $0.kind / levels }
            let best = voices.max { $0.value.reduce(0) { $0 + $1.strength } < $1.value.reduce(0) { $0 + $1.strength } }
            found.removeAll { $0.kind / levels != best?.key }
        }
        // They replace those of the first hearing, which were placed by a waveform with more noise.
        for hit in found {
            while kinds.count <= hit.kind { kinds.append([]) }
            kinds[hit.kind].append(hit.passage)
        }
        let places = found.map { $0.passage.start + $0.passage.lag }
        alone.removeAll { passage in places.contains { abs(passage.rise.place - $0) < spacing } }
        return true
    }

    /// The waveforms to search for: the mean of each kind, and the other levels of the metronome's own sounds.
    private func sounds() throws(SpectralError) -> [[Float]] {
        var shifts = try WindowShifts(count: layout.long, sampleRate: rate)
        var waveforms: [[Float]] = []
        var (heard, missing): (Set<LevelName>, [LevelName: [Float]]) = ([], [:])
        for kind in kinds {
            let placed = layout.placed(kind, &shifts)
            let own = layout.known(placed.template, known, &shifts)
            waveforms.append(Array(shifts.window(placed.template).prefix(layout.count)))
            guard let own else { continue }
            heard.insert(own.name)
            for other in own.others { missing[other.name] = Array(other.samples.prefix(layout.count)) }
        }
        // Levels that noise has hidden so far.
        var more = missing.filter { !heard.contains($0.key) }.map(\.value)
        // Hiss may hide all of them; then any sound of the metronome's own is looked for. Clear clicks that are all
        // different, such as claps, are none of ours.
        if kinds.isEmpty, !areClear {
            more = known.flatMap { layout.levels(of: $0, count: layout.count).map(\.samples) }
        }
        return waveforms + more
    }

    /// Whether three clicks or more stand out of the noise, by their share of the power: so much that ours would be alike.
    private var areClear: Bool {
        let shares = alone.lazy.map { [layout] in
            $0.share(at: layout.reach + layout.quiet, count: layout.count, quiet: layout.quiet)
        }
        return shares.count { $0 > 0.9 } >= 3
    }

    /// Half of the 20 µs by which the report may be off: a click that may lie elsewhere by more, such as one that begins
    /// before the recording does, is not compared.
    private static let ambiguity = 10e-6

    /// The clicks, in their order.
    ///
    /// - Parameter beginsWithClick: whether a rise at the very beginning is a click, as in the rendering of a plan. A recording
    ///   that begins in the middle of a sound begins with one that is none.
    package func clicks(beginsWithClick: Bool = false) throws(SpectralError) -> [Click] {
        var found: [Click] = []
        var shifts = try WindowShifts(count: layout.long, sampleRate: rate)
        for (number, kind) in kinds.enumerated() where kind.count >= 3 {
            let placed = layout.placed(kind, &shifts)
            let own = layout.known(placed.template, known, &shifts)
            let instant = own?.instant ?? Double(layout.onset(of: shifts.window(placed.template)))
            for (index, passage) in kind.enumerated() {
                let isCertain = placed.ambiguities[index] <= Self.ambiguity * Double(rate)
                found.append(
                    Click(
                        position: Double(passage.start + placed.lags[index]) + placed.places[index] + instant,
                        kind: !isCertain ? nil : own == nil ? number + 1 : 0,
                        standardError: placed.standardErrors[index]))
            }
        }
        let unlike = alone + kinds.filter { $0.count < 3 }.joined()
        found += unlike.filter { beginsWithClick || $0.rise.place > rate / 100 }.map { passage in
            let onset = layout.onset(in: passage)
            // Half a millisecond: the scatter of onsets of unlike sounds.
            return Click(position: Double(passage.start + onset), kind: nil, standardError: Double(rate) * 0.000_5)
        }
        // In samples of the recording.
        let late = factor > 1 ? Double(upsampler.delay) : 0
        for index in found.indices {
            found[index].position = found[index].position / Double(factor) - late
            found[index].standardError /= Double(factor)
        }
        return found.sorted { $0.position < $1.position }
    }
}
