package import Music
internal import Realtime
package import Timebase

/// The click sounds of a metronome at one sample rate: all levels of each layer (voice).
package struct ClickBank: ~Copyable, Sendable {
    /// How many voices can sound at once.
    package let layerCount: Int
    /// How many sounds the first layer can choose from.
    internal let choiceCount: Int
    /// The peak of the loudest sound of each level, relative to the most that a layer may have.
    package let levelPeaks: LevelAmplitudes
    private let levelCount = AccentLevel.allCases.count
    internal let kernels: SampleBuffer<ClickKernel>
    internal let partials: SampleBuffer<PartialKernel>
    internal let hasRecordings: Bool
    /// For each sound the index of the kernel of its first word; -1: it does not count.
    private let firstWords: SampleBuffer<Int>
    /// For each sound, how many frames before their instants its words begin at most, with the fade of the word before; and
    /// whether it is recorded.
    private let wordLeads: SampleBuffer<Int>, areRecorded: SampleBuffer<Bool>
    /// The loudness of the words of each level.
    internal let wordLevels = LevelAmplitudes { Float($0.defaultLoudness.amplitude) * ClickBank.speech }
    /// 3 dB below a click of the same peak, to which speech is louder by more: -21 LUFS, and clicks -34 to -23.
    internal static let speech: Float = 0.708
    /// The recordings one after another, each padded with silence for the delay filter.
    internal let recordings: SampleBuffer<Float>

    /// The peak of the loudest level of all layers together: -2 dBFS. The room up to -1 dBFS is for tails that ring into the
    /// next click.
    internal static let ceiling = 0.794

    /// Prepares sounds. Allocates, and finds the peaks of recordings between their samples with 256 multiplications per
    /// sample: call before the stream starts.
    ///
    /// - Parameters:
    ///   - sounds: one per layer, at least one; recordings have to be at the same sample rate.
    ///   - choices: further sounds that the first layer can change to; see `ClickTrack.choose`.
    ///   - sampleRate: partials above 45 % of it are left out.
    package init(sounds: [ClickSound], choices: [ClickSound] = [], sampleRate: Hertz) {
        precondition(!sounds.isEmpty, "a bank needs at least one sound")
        (layerCount, choiceCount) = (sounds.count, 1 + choices.count)
        var layout = BankLayout(layers: sounds.count, choices: choices.count, sampleRate: sampleRate.value)
        // The choices come after the layers, like layers that never sound at the same time.
        for (place, sound) in (sounds + choices).enumerated() {
            switch sound {
            case .voice(let voice): for level in AccentLevel.audible { layout.add(voice, level: level, place: place) }
            case .recorded(let click):
                if let tick = click.tick {
                    for level in AccentLevel.audible { layout.add(tick, level: level, place: place) }
                    layout.add(click.words, peak: click.wordPeak, place: place)
                } else {
                    layout.add(click, place: place)
                }
            }
            layout.align(place: place)
        }
        levelPeaks = layout.levelPeaks
        kernels = SampleBuffer(copying: layout.kernels)
        partials = SampleBuffer(copying: layout.partials)
        hasRecordings = layout.hasRecordings
        recordings = SampleBuffer(copying: layout.recordings)
        firstWords = SampleBuffer(copying: layout.firstWords)
        wordLeads = SampleBuffer(copying: layout.wordLeads)
        areRecorded = SampleBuffer(copying: layout.areRecorded)
    }

    /// How long a word fades before the next one begins: 10 ms, which sounds like an early end and not like a cut.
    internal static func wordFade(_ sampleRate: Double) -> Int { max(1, Int(sampleRate / 100)) }

    /// The longest ring of all sounds, in frames.
    internal var longestRing: Int {
        var longest = 0
        for index in kernels.indices { longest = max(longest, kernels[index].frameCount) }
        return longest
    }

    /// How many frames before its instant a click of any layer begins, if the first layer has a certain sound.
    @_noLocks internal func lead(choice: Int, isExact: Bool) -> Int {
        var isRecorded = areRecorded[place(layer: 0, choice: choice)]
        for layer in 1..<layerCount where areRecorded[layer] { isRecorded = true }
        return wordLeads[place(layer: 0, choice: choice)] + (isExact && isRecorded ? FractionalDelay.lead : 0)
    }

    /// The largest of these leads.
    internal var longestLead: Int {
        var longest = hasRecordings ? FractionalDelay.lead : 0
        for choice in 0..<choiceCount { longest = max(longest, lead(choice: choice, isExact: true)) }
        return longest
    }

    @_noLocks internal func counts(choice: Int) -> Bool { firstWords[place(layer: 0, choice: choice)] >= 0 }

    /// The kernel of a word; -1 if the sound does not have it.
    @_noLocks internal func kernelIndex(of word: CountWord, choice: Int) -> Int {
        let first = firstWords[place(layer: 0, choice: choice)]
        if first < 0 { return -1 }
        return kernels[first + word.index].frameCount > 0 ? first + word.index : -1
    }

    @_noLocks private func place(layer: Int, choice: Int) -> Int {
        layer == 0 && choice > 0 ? layerCount - 1 + choice : layer
    }

    @_noLocks internal func kernelIndex(layer: Int, choice: Int, level: AccentLevel) -> Int {
        place(layer: layer, choice: choice) * levelCount + level.number
    }
}
