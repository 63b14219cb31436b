import Foundation
import TestSignals
import Testing

@testable import ScorePages

@Suite struct ChildProcessTests {
    private func run(
        _ script: String, longest: Duration = .seconds(30), mostOutput: Int = 1 << 20
    ) throws -> ChildProcess.Outcome {
        let null = open("/dev/null", O_RDONLY | O_CLOEXEC)
        defer { close(null) }
        var child = ChildProcess(command: ["/bin/sh", "-c", script], input: null, mostOutput: mostOutput)
        child.longest = longest
        return try child.run()
    }

    @Test func `A child's end is told: its status, its signal, too long, too much`() throws {
        let good = try run("echo out; echo err >&2; exit 3")
        #expect(good.end == .exited(3) && good.output == Array("out\n".utf8) && good.complaint == "err\n")
        #expect(try run("kill -SEGV $$").end == .killed(SIGSEGV))
        #expect(try run("sleep 1000", longest: .milliseconds(200)).end == .timedOut)
        let much = try run("while :; do echo and so on; done", mostOutput: 10_000)
        #expect(much.end == .tooMuch && much.output.count == 10_000)
        #expect(try run("head -c 10000 /dev/zero", mostOutput: 10_000).end == .exited(0))
        #expect(try run("head -c 9000000 /dev/zero >&2; echo done").output == Array("done\n".utf8))
    }

    @Test func `A hundred children leave no files open`() throws {
        let files = openFiles()
        for _ in 0..<100 { #expect(try run("exit 0").end == .exited(0)) }
        // Other tests open some meanwhile; a pipe that stayed open would make a hundred.
        #expect(openFiles() < files + 60)
    }

    @Test func `What a child leaves running is ended with it`() throws {
        let outcome = try run("sleep 1000 & echo $!", longest: .milliseconds(500))
        let process = try #require(
            Int32(String(decoding: outcome.output, as: UTF8.self).trimmingCharacters(in: .newlines)))
        // The kernel delivers the signal when it likes; the process is gone, or gone and not yet waited for.
        var isGone = false
        for _ in 0..<200 where !isGone {
            let state = try? String(contentsOfFile: "/proc/\(process)/stat", encoding: .utf8)
            isGone = state.map { $0.contains(") Z ") } ?? true
            usleep(10_000)
        }
        #expect(isGone)
    }

    @Test func `A child has three files open and no signal blocked`() throws {
        let other = open("/dev/null", O_RDONLY)
        defer { close(other) }
        let outcome = try run("ls /proc/self/fd | wc -l; grep -E 'SigBlk|SigIgn' /proc/self/status; env")
        let text = String(decoding: outcome.output, as: UTF8.self)
        // The fourth is the folder that `ls` reads.
        #expect(text.hasPrefix("4\n"), "\(text)")
        let masks = text.matches(of: /Sig(?:Blk|Ign):\t([0-9a-f]+)/).compactMap { UInt64($0.1, radix: 16) }
        // The C library keeps two signals above 31 for itself.
        #expect(masks.count == 2 && masks.allSatisfy { $0 & 0x7FFF_FFFF == 0 }, "\(text)")
        #expect(!text.contains("XDG_") && text.contains("HOME=/nonexistent"))
    }

    @Test func `A child that has closed its pipes and runs on is ended when its time is up`() throws {
        let began = ContinuousClock.now
        #expect(try run("exec >&- 2>&-; exec sleep 1000", longest: .milliseconds(200)).end == .timedOut)
        #expect(try run("exec >&- 2>&-; sleep 0.1; exit 4").end == .exited(4))
        // Far less than the thousand seconds, on a machine however busy.
        #expect(.now - began < .seconds(600))
    }

    @Test func `Programs that are stopped end at once, and those that start later too`() throws {
        let null = open("/dev/null", O_RDONLY | O_CLOEXEC)
        defer { close(null) }
        let programs = RunningPrograms()
        let longest = Duration.seconds(900)
        func end() -> ChildProcess.Outcome.End? {
            var child = ChildProcess(
                command: ["/bin/sh", "-c", "sleep 1000 & sleep 1000"], input: null, programs: programs)
            child.longest = longest
            return try? child.run().end
        }
        let began = ContinuousClock.now
        let stopping = Thread {
            usleep(200_000)
            programs.stop()
        }
        stopping.start()
        #expect(end() == .killed(SIGKILL))
        #expect(end() == .killed(SIGKILL))
        #expect(.now - began < longest)
    }

    @Test func `A program that does not exist is an error`() {
        #expect(throws: ScorePageError.self) {
            try ChildProcess(command: ["/usr/bin/no such program"], input: 0).run()
        }
    }

    @Test func `The limits hold`() throws {
        let null = open("/dev/null", O_RDONLY | O_CLOEXEC)
        defer { close(null) }
        let tools = PageTools(processorSeconds: 1)
        func end(_ script: String) throws -> ChildProcess.Outcome {
            var child = ChildProcess(command: try tools.ownCommand(["/bin/sh", "-c", script]), input: null)
            // A second of the processor, niced, on a machine that does other things.
            child.longest = .seconds(600)
            return try child.run()
        }
        let spin = try end("while :; do :; done").end
        // A sandbox tells of the signal by its status.
        #expect([.killed(SIGKILL), .killed(SIGXCPU), .exited(128 + SIGKILL), .exited(128 + SIGXCPU)].contains(spin))
        let limits = String(decoding: try end("ulimit -a; nice").output, as: UTF8.self)
        #expect(limits.contains("1048576") && limits.hasSuffix("10\n"), "\(limits)")
        #expect(try end("exec 70</dev/null").end != .exited(0), "64 files")
    }
}
