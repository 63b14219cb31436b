import AudioIO
import Glibc
import Intonation
import Spectral
import TerminalUI
internal import TunerUI

/// The spectrum of a recording over time, in rows of a third of a semitone.
struct Spectrogram {
    /// 8,192 samples: 5.9 Hz to a bin at 48 kHz, a semitone at C3.
    private static let frame = 8_192
    /// More columns would be finer than a printed page shows.
    private static let columns = 320
    private static let pitches = 33.0...108.0
    private static let rowsPerSemitone = 3

    init(path: String, part: RecordingPart = RecordingPart(), input: InputOptions, tuning: TuningOptions) throws {
        let clock = tuning.clock(labelled: try AudioFileReader(path: path, channel: input.channelChoice).sampleRate)
        // Twice, because only then is it known where the columns lie: a recording may be longer than memory.
        var count = 0
        try Self.forEachBlock(of: path, part, input, clock) { _, block in count += block.count }
        var windows = [Float](repeating: 0, count: Self.columns * Self.frame)
        try Self.forEachBlock(of: path, part, input, clock) { first, block in
            for column in 0..<Self.columns {
                // The samples that the block and the window of the column share.
                let begin = Self.centre(of: column, in: count) - Self.frame / 2
                let shared = max(first, begin)..<max(first, begin, min(first + block.count, begin + Self.frame))
                for index in shared {
                    windows[column * Self.frame + index - begin] = block[block.startIndex + index - first]
                }
            }
        }
        var progress = ProgressLine("spectrogram", of: Double(Self.columns))
        defer { progress.end() }
        picture = try Self.picture(of: windows, sampleRate: clock.trueRate, &progress)
    }

    /// Calls `body` with the index of the first sample of each block of the part, and its samples.
    private static func forEachBlock(
        of path: String, _ part: RecordingPart, _ input: InputOptions, _ clock: SampleClock,
        _ body: (Int, ArraySlice<Float>) -> Void
    ) throws {
        var source = try AudioFileReader(path: path, channel: input.channelChoice)
        var block = [Float](repeating: 0, count: 16_384)
        var (frames, taken): (Int64, Int) = (0, 0)
        let start = clock.frame(at: part.start)
        while true {
            var span = block.mutableSpan
            // An error in the file has been reported already: draw what was read.
            guard let read = try? source.read(into: &span), !read.isEnd else { return }
            let skipped = Int(max(0, min(Int64(read.count), start - frames)))
            body(taken, block[skipped..<read.count])
            taken += read.count - skipped
            frames += Int64(read.count)
            let time = clock.time(ofFrame: frames)
            if input.isOver(at: time) || part.end.map({ time >= $0 }) ?? false { return }
        }
    }

    private static func centre(of column: Int, in count: Int) -> Int {
        Int((Double(column) + 0.5) / Double(columns) * Double(count))
    }

    let picture: SpectrogramPicture

    private static func picture(
        of windows: [Float], sampleRate: Hertz, _ progress: inout ProgressLine
    ) throws -> SpectrogramPicture {
        let rows = Int(pitches.upperBound - pitches.lowerBound) * rowsPerSemitone
        let window = (0..<frame).map { Float(0.5 - 0.5 * cos(2 * .pi * Double($0) / Double(frame))) }
        var transform = try RealFFT(size: frame)
        var power = [Float](repeating: 0, count: transform.binCount)
        var levels = [Float](repeating: -200, count: columns * rows)
        let binWidth = sampleRate.value / Double(frame)
        for column in 0..<columns {
            progress.advance(to: Double(column))
            for i in 0..<frame { transform.samples[i] = windows[column * frame + i] * window[i] }
            transform.forward()
            for bin in power.indices {
                let value = transform.spectrum[bin]
                power[bin] = value.x * value.x + value.y * value.y
            }
            for row in 0..<rows {
                let edge = { (row: Int) in
                    440 * exp2((pitches.lowerBound + Double(row) / Double(rowsPerSemitone) - 69) / 12) / binWidth
                }
                let (low, high) = (edge(row), edge(row + 1))
                guard high < Double(power.count - 1) else { continue }
                // A row that lies between two bins (below C6) is interpolated; others show their loudest bin.
                let first = Int(low.rounded(.up)), last = Int(high)
                var value: Float = 0
                if first <= last {
                    value = power[first...last].max() ?? 0
                } else {
                    let place = (low + high) / 2
                    let share = Float(place - place.rounded(.down))
                    value = power[Int(place)] * (1 - share) + power[Int(place) + 1] * share
                }
                levels[row * columns + column] = value > 0 ? 10 * log10(value) : -200
            }
        }
        // White is 72 dB below the loudest level, or below -40 dB of full scale, so that the noise of a silent recording
        // stays white. The amplitude of a full-scale sine is a quarter of the frame.
        let fullScale = 20 * log10(Float(frame) / 4)
        let loudest = max(levels.max() ?? 0, fullScale - 40)
        return SpectrogramPicture(
            columns: columns, rows: rows, pitches: pitches, levels: levels.map { max(-200, $0 - loudest) })
    }
}
