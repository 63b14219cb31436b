internal import CRealtime
internal import Synthesis

/// A level of a known sound, by their places in the lists of both.
internal struct LevelName: Hashable, Sendable {
    internal let sound: Int, level: Int
}

/// Where windows lie in the passages of a recording, and how passages are compared.
internal struct PassageLayout: Sendable {
    internal let rate: Int
    /// By how much the rate was raised: so many samples hold what one of the recording holds.
    internal let factor: Int
    private let spacing: Int

    internal init(sampleRate: Int, factor: Int, spacing: Int) {
        (rate, self.factor, self.spacing) = (sampleRate, factor, spacing)
    }

    /// The samples of a passage around a rise.
    internal func range(around place: Int) -> Range<Int> {
        (place - before - reach - quiet)..<(place - before + long + reach)
    }

    /// The most passages that are held at a time: 150 MB.
    internal var most: Int { (72 << 20) / range(around: 0).count }

    /// How far a window begins before a rise, how long it is, and how far it may be moved.
    internal var before: Int { rate * 5 / 1_000 }
    internal var count: Int { max(8, before + min(rate * 15 / 1_000, spacing * 4 / 5)) }
    internal var reach: Int { max(rate / 125, min(rate * 15 / 1_000, spacing)) }
    /// The length of the window that places a click: also what rings on after an attack that an encoder has spoiled.
    internal var long: Int { max(count, before + min(rate * 40 / 1_000, spacing * 4 / 5)) }
    /// The lags at which the long window lies in a passage.
    internal var lags: ClosedRange<Int> { 0...(2 * reach + quiet) }
    /// Where the noise before a click is measured.
    internal var quiet: Int { rate / 250 }

    /// Clicks that sound like the first of `rest`, aligned with each other; `nil` when fewer than three do.
    ///
    /// Rises too weak to be clicks by themselves count as such when their waveform says so.
    internal func kind(
        among rest: inout [ClickPassage], and others: inout [ClickPassage]
    ) -> [ClickPassage]? {
        // The strongest: its waveform has the least noise.
        guard let best = rest.indices.max(by: { rest[$0].rise.ratio < rest[$1].rise.ratio }) else { return nil }
        rest.swapAt(0, best)
        rest[0].lag = reach + quiet
        var filter = MatchedFilter(Array(rest[0].window(count)))
        var noise = rest[0].share(at: reach + quiet, count: count, quiet: quiet)
        var members: [Int] = []
        for round in 0..<3 {
            guard let waveform = filter else { return nil }
            members = []
            for index in rest.indices {
                let near = max(0, rest[index].lag - 3 * rate / 1_000)...(rest[index].lag + 3 * rate / 1_000)
                let range = round == 0 ? lags : near.clamped(to: lags)
                rest[index].align(to: waveform, within: range)
                if isLike(rest[index], noise) { members.append(index) }
            }
            guard members.count >= 3 else { return nil }
            filter = MatchedFilter(mean(members.map { rest[$0] }))
            noise = 1
        }
        // Noise is like a mean that contains it, and not like the mean of the others.
        let number = members.count
        let sum = mean(members.map { rest[$0] }).map { $0 * Float(number) }
        members.removeAll { index in
            let own = rest[index].window(count)
            guard let others = MatchedFilter(zip(sum, own).map { $0 - $1 }) else { return true }
            let share = rest[index].share(at: rest[index].lag, count: count, quiet: quiet)
            let mean = share / (share + (1 - share) / Double(number - 1))
            let likeness = rest[index].samples.withUnsafeBufferPointer { others.likeness($0, at: rest[index].lag) }
            return likeness < max(0.35, 0.85 * rt_sqrt(share * mean))
        }
        guard members.count >= 3 else { return nil }
        guard let waveform = filter else { return nil }
        var kind = members.map { rest[$0] }
        for index in members.reversed() { rest.remove(at: index) }
        others.removeAll { passage in
            var passage = passage
            passage.align(to: waveform, within: lags)
            guard isLike(passage, 1) else { return false }
            kind.append(passage)
            return true
        }
        return kind
    }

    /// Whether a passage is like the waveform it was aligned with, as far as noise lets it be. 0.85: the next partial or
    /// pitch of the same instrument gives less than 0.8, and MP3 at 128 kb/s more than 0.95.
    private func isLike(_ passage: ClickPassage, _ share: Double) -> Bool {
        let own = passage.share(at: passage.lag, count: count, quiet: quiet)
        // By chance noise of a few kilohertz is a third like anything at one of the lags.
        return passage.likeness >= max(0.4, 0.85 * rt_sqrt(own * share))
    }

    private func mean(_ passages: [ClickPassage]) -> [Float] {
        var sum = [Float](repeating: 0, count: count)
        for passage in passages {
            for (n, value) in passage.window(count).enumerated() { sum[n] += value }
        }
        return sum.map { $0 / Float(passages.count) }
    }

    /// Which sound of the metronome a mean spectrum is, if any: where its instant lies in a window, and the waveforms of the
    /// other levels of the same sound, as loud as they would be.
    internal func known(
        _ template: WindowShifts.Spectrum, _ known: [ClickSound], _ shifts: inout WindowShifts
    ) -> (instant: Double, name: LevelName, others: [(name: LevelName, samples: [Float])])? {
        let room = before + reach
        let silence = [Float](repeating: 0, count: room)
        var passage = ClickPassage(
            samples: silence + shifts.window(template) + silence, start: 0,
            rise: BandRises.Rise(place: 0, ratio: 0, power: 0))
        var best: (instant: Double, likeness: Double, name: LevelName, others: [(name: LevelName, samples: [Float])])?
        for (number, sound) in known.enumerated() {
            let levels = levels(of: sound, count: shifts.count)
            for (index, level) in levels.enumerated() {
                guard let matched = MatchedFilter(Array(level.samples.prefix(count))) else { continue }
                passage.align(to: matched, within: 0...(2 * room))
                // Another voice is below 0.7, ours above 0.9 even at 8 kHz.
                guard passage.likeness > max(0.8, best?.likeness ?? 0) else { continue }
                let own = shifts.spectrum(passage.window(shifts.count))
                let shift = shifts.shift(of: own, behind: shifts.spectrum(level.samples[...]))
                let gain = Float(matched.gain(in: passage.samples, at: passage.lag))
                let others = levels.indices.filter { $0 != index }.map { other in
                    (LevelName(sound: number, level: other), levels[other].samples.map { $0 * gain })
                }
                best = (
                    Double(passage.lag - room) + shift + level.instant, passage.likeness,
                    LevelName(sound: number, level: index), others
                )
            }
        }
        return best.map { ($0.instant, $0.name, $0.others) }
    }

    /// The levels of a sound as windows, and where in each its instant lies.
    internal func levels(of sound: ClickSound, count: Int) -> [(samples: [Float], instant: Double)] {
        ClickTemplate.waveforms(sound, sampleRate: rate, count: count).map { waveform in
            var filter = HighPass(sampleRate: rate)
            return (waveform.samples.map { filter.next($0) }, waveform.instant)
        }
    }

    /// The first sample of a window that stands out.
    internal func onset(of window: [Float]) -> Int {
        window.withUnsafeBufferPointer { ClickTemplate.onset(in: $0, from: 1, to: $0.count) }
    }

    /// The first sample of a passage that stands out.
    internal func onset(in passage: ClickPassage) -> Int {
        passage.samples.withUnsafeBufferPointer {
            ClickTemplate.onset(in: $0, from: max(1, reach + quiet), to: min($0.count, reach + quiet + 2 * before))
        }
    }
}
