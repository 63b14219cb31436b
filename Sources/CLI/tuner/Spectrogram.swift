import AudioIO
import Glibc
import Intonation
import Spectral
import TerminalUI

/// The spectrum of a recording over time, in rows of a third of a semitone.
struct Spectrogram {
    /// 8,192 samples: 5.9 Hz to a bin at 48 kHz, a semitone at C3.
    private static let frame = 8_192
    /// More columns would be finer than a printed page shows.
    private static let columns = 320
    private static let pitches = 33.0...108.0
    private static let rowsPerSemitone = 3

    init(path: String, part: RecordingPart = RecordingPart(), input: InputOptions, tuning: TuningOptions) throws {
        var source = try AudioFileReader(path: path, channel: input.channelChoice)
        let clock = tuning.clock(labelled: source.sampleRate)
        var samples: [Float] = []
        var block = [Float](repeating: 0, count: 16_384)
        var frames: Int64 = 0
        let start = clock.frame(at: part.start)
        while true {
            var span = block.mutableSpan
            // An error in the file has been reported already: draw what was read.
            guard let read = try? source.read(into: &span), !read.isEnd else { break }
            let skipped = Int(max(0, min(Int64(read.count), start - frames)))
            samples.append(contentsOf: block[skipped..<read.count])
            frames += Int64(read.count)
            let time = clock.time(ofFrame: frames)
            if input.isOver(at: time) || part.end.map({ time >= $0 }) ?? false { break }
        }
        var progress = ProgressLine("spectrogram", of: Double(Self.columns))
        defer { progress.end() }
        picture = try Self.picture(of: samples, sampleRate: clock.trueRate, &progress)
    }

    let picture: SpectrogramPicture

    private static func picture(
        of samples: [Float], sampleRate: Hertz, _ progress: inout ProgressLine
    ) throws -> SpectrogramPicture {
        let rows = Int(pitches.upperBound - pitches.lowerBound) * rowsPerSemitone
        let window = (0..<frame).map { Float(0.5 - 0.5 * cos(2 * .pi * Double($0) / Double(frame))) }
        var transform = try RealFFT(size: frame)
        var power = [Float](repeating: 0, count: transform.binCount)
        var levels = [Float](repeating: -200, count: columns * rows)
        let binWidth = sampleRate.value / Double(frame)
        for column in 0..<columns {
            progress.advance(to: Double(column))
            let centre = Int((Double(column) + 0.5) / Double(columns) * Double(samples.count))
            for i in 0..<frame {
                let index = centre - frame / 2 + i
                transform.samples[i] = samples.indices.contains(index) ? samples[index] * window[i] : 0
            }
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
