import ALSABackend
import AudioIO
import Foundation
import Synchronization
import TestSignals
import Testing

/// One frame that was heard: which, and when by the card's own log, in seconds.
private struct Heard {
    let number: Int
    let seconds: Double
}

/// What a card played, from its files: every frame that reached the ear, in order.
private func heard(on card: TestCard, _ name: String) throws -> [Heard] {
    let numbers = try card.bytes(of: "\(name).raw").floats.map(NumberedFrames.number)
    let log = String(decoding: try card.bytes(of: "\(name).log"), as: UTF8.self)
    let starts = log.split(separator: "\n").compactMap { line -> (frame: Int, seconds: Double)? in
        let words = line.split(separator: " ")
        guard words.count == 2, let frame = Int(words[0]), let time = Double(words[1]) else { return nil }
        return (frame, time * 1e-9)
    }
    var all: [Heard] = []
    for (index, start) in starts.enumerated() {
        let next = index + 1 < starts.count ? starts[index + 1] : (numbers.count, .infinity)
        for frame in start.frame..<next.0 {
            let time = start.seconds + Double(frame - start.frame) / 48_000
            // Frames still in the buffer when the device failed are written and never heard.
            if time >= next.1 { break }
            all.append(Heard(number: numbers[frame], seconds: time))
        }
    }
    return all
}

@Suite(.timeLimit(.minutes(10))) struct FaultTests {
    private let card: TestCard
    init() throws { card = try TestCard.shared() }

    /// Settings of the card, and the least number of xruns, suspensions and reopenings that have to be counted.
    struct Fault: Sendable, CustomTestStringConvertible {
        let name: String
        let settings: String
        var xruns = 0
        var suspensions = 0
        var reopenings = 0
        var discontinuities = 0
        var enlargements = 0
        /// The card's position is a whole number of frames, rounded down: one frame, and one for the correction.
        var tolerance = 2.0
        var testDescription: String { name }
    }

    static let faults = [
        Fault(name: "EPIPE once", settings: "fail_errno 32 fail_after 24000", xruns: 1),
        Fault(name: "EPIPE twice in a row", settings: "fail_errno 32 fail_after 24000 fail_count 2", xruns: 2),
        Fault(
            name: "EPIPE ten in a row", settings: "fail_errno 32 fail_after 24000 fail_count 10", xruns: 3,
            reopenings: 1),
        Fault(name: "ESTRPIPE, cannot resume", settings: "fail_errno 86 fail_after 24000", suspensions: 1),
        Fault(name: "ESTRPIPE, resumes", settings: "fail_errno 86 fail_after 24000 resume 1", suspensions: 1),
        Fault(name: "ESTRPIPE, resumes late", settings: "fail_errno 86 fail_after 24000 resume 4", suspensions: 1),
        Fault(
            name: "EPIPE every half second", settings: "fail_errno 32 fail_after 24000 fail_every 24000", xruns: 2,
            enlargements: 1),
        Fault(name: "EIO", settings: "fail_errno 5 fail_after 24000", reopenings: 1),
        Fault(name: "ENODEV", settings: "fail_errno 19 fail_after 24000", reopenings: 1),
        Fault(
            name: "moves no more", settings: "stall_after 24000", reopenings: 1,
            // The grid is known from a quarter of a second, with a stalling end, and is carried on over 1.5 s.
            tolerance: 5),
        Fault(name: "frames vanish unseen", settings: "skip_after 24000 skip_frames 30000", discontinuities: 1),
    ]

    /// The grid: frame n belongs to the moment t0 + n / rate. Where it lies is read from the card's own log for the
    /// half second before the fault, and again from half a second after each restart.
    @Test(arguments: faults)
    func `A metronome's frames are back in their moments after a fault`(fault: Fault) async throws {
        try await onThread { [card] in try play(through: fault, on: card) }
    }

    private func play(through fault: Fault, on card: TestCard) throws {
        let name = "grid-\(fault.name.filter { $0.isLetter })"
        var request = StreamRequest.playback(
            device: try card.device(
                "channels 1 format FLOAT_LE outfile \"\(card.path(name + ".raw"))\" "
                    + "logfile \"\(card.path(name + ".log"))\" \(fault.settings) once \"\(card.path(name + ".once"))\"")
        )
        request.whenLost = .reopen
        var stream = try PlaybackStream(try PlaybackDevice(request), playing: NumberedFrames())
        usleep(3_500_000)
        let report = stream.report()
        stream.stop()
        #expect(stream.failure == nil)
        #expect(report.statistics.xruns >= fault.xruns)
        #expect(report.statistics.suspensions >= fault.suspensions)
        #expect(report.statistics.reopenings == fault.reopenings)
        #expect(report.statistics.discontinuities >= fault.discontinuities)
        #expect(report.statistics.enlargements >= fault.enlargements)

        let all = try heard(on: card, name)
        let sounding = all.filter { $0.number > 0 }
        try #require(sounding.count > 48_000)
        let first = try #require(sounding.first)
        func error(_ frame: Heard) -> Double {
            Double(frame.number - first.number) - (frame.seconds - first.seconds) * 48_000
        }
        // Places where frames are missing, and what is heard until things are settled behind them.
        var unsettledUntil = 0.0
        var (worst, checked) = (0.0, 0)
        for (frame, next) in zip(sounding, sounding.dropFirst()) {
            #expect(next.number > frame.number, "no frame is heard twice")
            if next.number != frame.number + 1 || next.seconds - frame.seconds > 0.001 {
                unsettledUntil = max(unsettledUntil, next.seconds + 0.5)
            }
            guard next.seconds > unsettledUntil else { continue }
            worst = max(worst, abs(error(next)))
            checked += 1
        }
        print("\(fault.name): \(report.statistics); worst distance from the grid \(worst) frames over \(checked)")
        #expect(worst <= fault.tolerance)
        // Half a second before the fault, and nearly one at least behind it.
        #expect(checked > 24_000 + 40_000)
        #expect(unsettledUntil > 0 || fault.name.contains("vanish"), "the fault was seen")
    }

    /// The card's file goes on where it stopped, so what is heard is the file without a hole; what is lost is time.
    @Test(arguments: faults.filter { $0.enlargements == 0 })
    func `A microphone is heard again after a fault, and the gap is told`(fault: Fault) async throws {
        try await onThread { [card] in try listen(through: fault, on: card) }
    }

    private func listen(through fault: Fault, on card: TestCard) throws {
        let name = "gap-\(fault.name.filter { $0.isLetter })"
        let numbers = (1...400_000).map { Float($0) / 1_048_576 }
        let infile = try card.file("\(name).raw", Data(floats: numbers))
        var request = StreamRequest.capture(
            device: try card.device(
                "channels 1 format FLOAT_LE infile \"\(infile)\" \(fault.settings) once \"\(card.path(name + ".once"))\""
            ))
        request.whenLost = .reopen
        let start = MonotonicTime.now()
        var stream = try CaptureStream(request)
        var samples = try taken(from: &stream)
        let (heard, gaps, _) = try ALSABackendTests.listen(to: &samples, count: 100_000)
        // What was lost is known a quarter of a second after the gap.
        let report = stream.report()
        let elapsed = (MonotonicTime.now() - start).inSeconds * 48_000
        stream.stop()
        #expect(stream.failure == nil)
        #expect(report.statistics.xruns >= fault.xruns)
        #expect(report.statistics.suspensions >= fault.suspensions)
        #expect(report.statistics.reopenings == fault.reopenings)
        #expect(report.statistics.discontinuities >= fault.discontinuities)
        #expect(!gaps.isEmpty)
        for gap in gaps { #expect(gap > 20_000 && gap < 40_000, "gap at \(gap)") }
        #expect(zip(heard, heard.dropFirst()).enumerated().allSatisfy { $1.1 > $1.0 || gaps.contains($0 + 1) })
        // Frames heard and frames lost make up the time that passed, but for what waits in the buffers: a period in
        // the card's, a second at most in ours.
        let lost = Double(report.statistics.lostFrames)
        let missing = elapsed - Double(report.statistics.transferredFrames) - lost
        print("\(fault.name): \(report.statistics), gaps at \(gaps), \(missing) frames unaccounted for")
        #expect(abs(missing) < 2_400, "50 ms")
        #expect(fault.discontinuities == 0 || abs(lost - 30_000) < 10)
    }
}
