import Foundation
import TestCommands
import TestSignals
import Testing

/// One frame that was heard: which, and when by the card's own log, in seconds.
private struct Heard {
    let number: Int
    let seconds: Double
}

/// What a card played, from its files: every frame that was played, in order.
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
        static let tolerance = 2.0
        var testDescription: String { name }
        /// A name for its files.
        var file: String { name.filter(\.isLetter) }
    }

    static let faults = [
        Fault(name: "EPIPE once", settings: "fail_errno 32 fail_after 24000", xruns: 1),
        Fault(name: "EPIPE twice in a row", settings: "fail_errno 32 fail_after 24000 fail_count 2", xruns: 2),
        Fault(
            name: "EPIPE ten in a row", settings: "fail_errno 32 fail_after 24000 fail_count 10", xruns: 3,
            reopenings: 1),
        Fault(
            name: "EPIPE, twice more when prepared",
            settings: "fail_errno 32 fail_after 24000 prepare_errno 32 again_count 2", xruns: 3),
        Fault(
            name: "EPIPE, ten more when prepared",
            settings: "fail_errno 32 fail_after 24000 prepare_errno 32 again_count 10", xruns: 3, reopenings: 1),
        Fault(
            name: "EPIPE, EIO when prepared",
            settings: "fail_errno 32 fail_after 24000 prepare_errno 5 again_count 1", xruns: 1, reopenings: 1),
        Fault(name: "ESTRPIPE, cannot resume", settings: "fail_errno 86 fail_after 24000", suspensions: 1),
        Fault(name: "ESTRPIPE, resumes", settings: "fail_errno 86 fail_after 24000 resume 1", suspensions: 1),
        Fault(name: "ESTRPIPE, resumes late", settings: "fail_errno 86 fail_after 24000 resume 4", suspensions: 1),
        Fault(
            name: "EPIPE every half second", settings: "fail_errno 32 fail_after 24000 fail_every 24000", xruns: 2,
            enlargements: 1),
        Fault(name: "EIO", settings: "fail_errno 5 fail_after 24000", reopenings: 1),
        Fault(name: "ENODEV", settings: "fail_errno 19 fail_after 24000", reopenings: 1),
        Fault(name: "moves no more", settings: "stall_after 24000", reopenings: 1),
        Fault(name: "frames vanish unseen", settings: "skip_after 24000 skip_frames 30000", discontinuities: 1),
    ]

    /// Playback starts inside of a transfer, which reports no error of the start.
    static let faultsOfStarting = [
        Fault(
            name: "EPIPE, twice more when started",
            settings: "fail_errno 32 fail_after 24000 start_errno 32 again_count 2", xruns: 3)
    ]

    /// What `stream-probe numbered` counted on a device with `settings`, in simulated time: a process of its own, whose
    /// clock a busy machine cannot touch.
    private func counted(_ settings: String, _ fault: Fault, _ arguments: String) throws -> [String: [Double]] {
        let once = card.path("\(arguments.contains("heard") ? "gap" : "grid")-\(fault.file).once")
        let device = try card.device(
            "virtual 1 jitter 300 channels 1 format FLOAT_LE \(settings) \(fault.settings) once \"\(once)\"")
        let script = repository.appending(path: "Tests/Rigs/test-card.sh").path()
        let probe = BuiltCommand("stream-probe").executable.path()
        let shell = try BuiltCommand(shell: ()).run(
            ["-c", "'\(script)' simulate '\(probe)' numbered --device \(device) \(arguments)"],
            environment: ["TEST_CARD_DIR": card.path("")], limit: 120)
        try #require(shell.status == 0, "\(shell.errors)")
        var counts: [String: [Double]] = [:]
        for line in shell.lines {
            let words = line.split(separator: " ")
            if words.count == 2, let value = Double(words[1]) { counts[String(words[0]), default: []].append(value) }
        }
        func count(_ name: String) throws -> Int { Int(try #require(counts[name]?.first)) }
        #expect(try count("xruns") >= fault.xruns)
        #expect(try count("suspensions") >= fault.suspensions)
        #expect(try count("reopenings") == fault.reopenings)
        #expect(try count("discontinuities") >= fault.discontinuities)
        #expect(try count("enlargements") >= fault.enlargements)
        #expect(try count("dropped") == 0)
        return counts
    }

    /// The grid: frame n belongs to the moment t0 + n / rate. Where it lies is read from the card's own log for the
    /// half second before the fault, and again from half a second after each restart.
    @Test(arguments: faults)
    func `A metronome's frames are back in their moments after a fault`(fault: Fault) throws {
        let name = "grid-\(fault.file)"
        let counts = try counted(
            "outfile \"\(card.path(name + ".raw"))\" logfile \"\(card.path(name + ".log"))\"", fault, "--seconds 3.5")
        let all = try heard(on: card, name)
        let sounding = all.filter { $0.number > 0 }
        try #require(sounding.count > 48_000)
        let first = try #require(sounding.first)
        func error(_ frame: Heard) -> Double {
            Double(frame.number - first.number) - (frame.seconds - first.seconds) * 48_000
        }
        // Places where frames are missing, and what is heard until things are settled behind them.
        var unsettledUntil = 0.0
        var (worst, checked, isRising) = (0.0, 0, true)
        for (frame, next) in zip(sounding, sounding.dropFirst()) {
            isRising = isRising && next.number > frame.number
            if next.number != frame.number + 1 || next.seconds - frame.seconds > 0.001 {
                unsettledUntil = max(unsettledUntil, next.seconds + 0.5)
            }
            guard next.seconds > unsettledUntil else { continue }
            worst = max(worst, abs(error(next)))
            checked += 1
        }
        print("\(fault.name): \(counts); worst distance from the grid \(worst) frames over \(checked)")
        #expect(isRising, "no frame is heard twice")
        #expect(worst <= Fault.tolerance)
        // Half a second before the fault, and nearly one at least behind it.
        #expect(checked > 24_000 + 40_000)
        #expect(unsettledUntil > 0 || fault.name.contains("vanish"), "the fault was seen")
    }

    /// The card's file goes on where it stopped, so what is heard is the file without a hole; what is lost is time.
    @Test(arguments: faults.filter { $0.enlargements == 0 } + faultsOfStarting)
    func `A microphone is heard again after a fault, and the gap is told`(fault: Fault) throws {
        let name = "gap-\(fault.file)"
        let infile = try card.file("\(name).raw", Data(floats: (1...400_000).map { Float($0) / 1_048_576 }))
        let counts = try counted(
            "infile \"\(infile)\"", fault, "--heard '\(card.path(name + ".heard"))' --count 100000")
        let heard = try card.bytes(of: "\(name).heard").floats.map(NumberedFrames.number)
        let gaps = (counts["gap"] ?? []).map { Int($0) }
        #expect(heard.count >= 100_000)
        #expect(!gaps.isEmpty)
        for gap in gaps { #expect(gap > 20_000 && gap < 40_000, "gap at \(gap)") }
        // A hole of 50 ms and more is told at once: the card's is before its 48th period of 512, seen when that was read.
        if fault.discontinuities > 0 { #expect(gaps == [24_576], "\(gaps)") }
        #expect(zip(heard, heard.dropFirst()).enumerated().allSatisfy { $1.1 > $1.0 || gaps.contains($0 + 1) })
        // Frames heard and frames lost make up the time that passed, but for what waits in the card's buffer.
        let (transferred, lost) = (try #require(counts["transferred"]?.first), try #require(counts["lost"]?.first))
        let missing = try #require(counts["elapsed"]?.first) * 48_000 - transferred - lost
        print("\(fault.name): \(counts), \(missing) frames unaccounted for")
        #expect(abs(missing) < 512, "a period")
        #expect(fault.discontinuities == 0 || abs(lost - 30_000) < 10)
    }

    /// EINTR and EAGAIN, by number.
    @Test(arguments: [4, 11], ["--seconds 1.5", "--count 60000 --heard"])
    func `A transfer that is interrupted or comes too early is no xrun and loses nothing`(
        number: Int, arguments: String
    ) throws {
        let fault = Fault(
            name: number == 4 ? "interrupted" : "early", settings: "fail_errno \(number) fail_after 24000 fail_count 3")
        let file = card.path("\(fault.name).heard")
        let counts = try counted("", fault, arguments + (arguments.hasSuffix("heard") ? " '\(file)'" : ""))
        #expect(counts["xruns"] == [0] && counts["lost"] == [0] && counts["gap"] == nil, "\(counts)")
    }
}
