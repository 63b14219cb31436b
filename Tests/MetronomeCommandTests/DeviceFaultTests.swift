import Foundation
import TestCommands
import TestSignals
import Testing

/// What the commands say and do when a device fails, each row of the matrix through the built commands, in simulated time.
@Suite struct DeviceFaultTests {
    /// A failure while opening: who tries, the status, and words of the one sentence.
    @Test(arguments: [
        ("open_errno 16", Int32(75), "in use by another program"),  // EBUSY
        ("open_errno 13", 69, "group audio"),  // EACCES
        ("open_errno 2", 69, "sound"),  // ENOENT
        ("open_errno 112", 69, "is not running in this session"),  // EHOSTDOWN
    ])
    func `A device that cannot be opened is a sentence and a status`(
        _ settings: String, _ status: Int32, _ words: String
    ) throws {
        try SimulatedCard.run(settings) { card in
            for (name, arguments) in [
                ("metronome", ["240", "--bars", "1"]), ("metronome", ["calibrate"]), ("tuner", ["-d", "1"]),
                ("tuner", ["calibrate"]), ("tuner", ["tone", "--for", "1"]),
            ] {
                let outcome = try card.command(name, arguments + ["-D", "mine"], inTurns: true)
                #expect(outcome.status == status, "\(name) \(arguments): \(outcome)")
                #expect(outcome.output.isEmpty && outcome.errors.filter { $0 == "\n" }.count == 1, "\(outcome)")
                #expect(outcome.errors.hasPrefix("\(name): ") && outcome.errors.contains(words), "\(outcome.errors)")
            }
        }
    }

    /// A failure after half a second: the settings and the message. The card works when it is opened again.
    struct Fault: Sendable, CustomTestStringConvertible {
        let settings: String
        let told: String?
        var testDescription: String { settings }
    }

    static let faults = [
        Fault(settings: "fail_errno 32 fail_after 24000", told: nil),  // EPIPE
        Fault(settings: "fail_errno 86 fail_after 24000", told: nil),  // ESTRPIPE, cannot resume
        Fault(settings: "fail_errno 86 fail_after 24000 resume 3", told: nil),  // ESTRPIPE, the third time
        Fault(settings: "fail_errno 5 fail_after 24000 once \"@/mark\"", told: "input/output error"),  // EIO
        Fault(settings: "fail_errno 19 fail_after 24000 once \"@/mark\"", told: "no such device"),  // ENODEV
        Fault(settings: "stall_after 24000 once \"@/mark\"", told: "it transfers no frames"),
        // EPIPE and ESTRPIPE again after every recovery, with and without a resume that says that all is well.
        Fault(
            settings: "fail_errno 32 fail_after 24000 fail_count 1000000000 once \"@/mark\"",
            told: "it fails again after every recovery"),
        Fault(
            settings: "fail_errno 86 fail_after 24000 fail_count 1000000000 once \"@/mark\"",
            told: "it fails again after every recovery"),
        Fault(
            settings: "fail_errno 86 fail_after 24000 fail_count 1000000000 resume 1 once \"@/mark\"",
            told: "it fails again after every recovery"),
    ]

    @Test(arguments: faults)
    func `A metronome whose device fails plays its plan to the end`(_ fault: Fault) throws {
        try SimulatedCard.run(fault.settings) { card in
            let outcome = try card.command("metronome", ["240", "--bars", "6", "-D", "mine"], inTurns: true)
            #expect(outcome.status == 0, "\(outcome)")
            // Every beat is counted, though some are not heard.
            #expect(outcome.lines.count == 24, "\(outcome.output)")
            try expect(fault, outcome, "metronome")
        }
    }

    @Test(arguments: faults)
    func `A tuner whose device fails goes on listening`(_ fault: Fault) throws {
        try SimulatedCard.run(fault.settings + " infile \"@/in.raw\"") { card in
            let tone = sine(frequency: 440, sampleRate: 48_000, count: 480_000)
            try tone.withUnsafeBytes { Data($0) }.write(to: card.folder.appending(path: "in.raw"))
            let outcome = try card.command(
                "tuner", ["-D", "mine", "-r", "48000", "-c", "1", "-d", "3", "--csv"], inTurns: true, limit: 300)
            #expect(outcome.status == 0, "\(outcome.errors)")
            let rows = outcome.lines.dropFirst().map { $0.split(separator: ",", omittingEmptySubsequences: false) }
            let last = try #require(rows.last)
            #expect(last.contains("A") && Double(last[1]) ?? 0 >= 3, "\(last)")
            try expect(fault, outcome, "tuner")
        }
    }

    @Test(arguments: faults)
    func `A reference tone whose device fails sounds again`(_ fault: Fault) throws {
        try SimulatedCard.run(fault.settings) { card in
            let outcome = try card.command("tuner", ["tone", "A4", "--for", "6", "-D", "mine"], inTurns: true)
            #expect(outcome.status == 0 && outcome.output.isEmpty, "\(outcome)")
            try expect(fault, outcome, "tuner")
        }
    }

    private func expect(_ fault: Fault, _ outcome: BuiltCommand.Outcome, _ name: String) throws {
        guard let told = fault.told else {
            #expect(outcome.errors.isEmpty, "an xrun is no news: \(outcome.errors)")
            return
        }
        let lines = outcome.errors.split(separator: "\n")
        try #require(lines.count == 2, "\(outcome.errors)")
        #expect(lines[0] == "\(name): the sound device \"mine\" is lost (\(told)): waiting for it to come back")
        #expect(lines[1] == "\(name): the sound device \"mine\" is back")
    }

    /// The error of the card, which never comes back, and the message.
    @Test(arguments: [
        (19, "no such device"), (5, "input/output error"), (32, "it fails again after every recovery"),
        (86, "it fails again after every recovery"),
    ])
    func `A device that never comes back is reported, and ends the command with its own status when the time is over`(
        _ error: Int, _ reason: String
    ) throws {
        for (name, arguments, waits) in [
            ("metronome", ["240", "--bars", "4"], true), ("tuner", ["-d", "2"], true),
            ("metronome", ["calibrate"], false), ("tuner", ["calibrate"], false),
            ("metronome", ["calibrate", "latency", "--input", "mine"], false),
            ("metronome", ["240", "--verify", "--input", "mine"], false),
            ("tuner", ["tone", "A4", "--for", "3"], true),
        ] {
            try SimulatedCard.run(
                "fail_errno \(error) fail_after 24000 fail_count 1000000000 once \"@/mark\" gone 19"
            ) { card in
                let outcome = try card.command(name, arguments + ["-D", "mine"], inTurns: true)
                #expect(outcome.status == 75, "\(name) \(arguments): \(outcome)")
                // Two streams on the card: the one hears of the error, and the other of what comes of it.
                let why = arguments.contains("mine") ? "" : "\(reason)): reconnect it, restart its server"
                let lost = "\(name): the sound device \"mine\" was lost (\(why)"
                let lines = outcome.errors.split(separator: "\n")
                #expect(lines.last?.hasPrefix(lost) == true, "\(name) \(arguments): \(outcome.errors)")
                guard waits else {
                    #expect(lines.count == 1, "\(outcome.errors)")
                    return
                }
                let waiting = "\(name): the sound device \"mine\" is lost (\(reason)): waiting for it to come back"
                #expect(lines.count == 2 && lines[0] == waiting, "\(outcome.errors)")
                // Beats go on in their moments although they are not heard.
                #expect(name == "tuner" || outcome.lines.count == 16, "\(outcome.output)")
            }
        }
    }

    @Test func `The verbose option reports the faults of the stream`() throws {
        for (name, arguments) in [("metronome", ["240", "--bars", "3"]), ("tuner", ["-d", "3"])] {
            try SimulatedCard.run("fail_errno 32 fail_after 24000 fail_count 2 once \"@/mark\"") { card in
                let outcome = try card.command(name, arguments + ["-D", "mine", "--verbose"], inTurns: true)
                let last = outcome.errors.split(separator: "\n").last ?? ""
                #expect(last.hasPrefix("\(name): 2 xruns, 0 jumps, "), "\(outcome.errors)")
                let conditions = /; with(out)? real-time priority.*, memory (not )?pinned/
                #expect(last.contains(conditions), "\(last)")
            }
        }
    }
}
