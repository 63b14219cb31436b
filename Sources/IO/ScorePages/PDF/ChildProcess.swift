internal import CLinuxCalls
internal import Glibc
internal import Platform

/// A program that reads a file and writes a picture or text, under limits that it cannot raise.
struct ChildProcess {
    /// What has become of it.
    struct Outcome {
        enum End: Equatable {
            /// With this status.
            case exited(Int32)
            /// By this signal.
            case killed(Int32)
            /// It did not end in time and was killed.
            case timedOut
            /// It wrote more than it may, and was killed.
            case tooMuch
        }
        let end: End
        /// What it wrote, unless that went into a file.
        let output: [UInt8]
        /// The beginning of what it wrote to its standard error.
        let complaint: String
    }

    /// The program's path and its arguments.
    let command: [String]
    /// What it reads as its standard input.
    let input: Int32
    /// The file for its output; `nil`: collected.
    var outputFile: Int32?
    /// The most output that is collected.
    var mostOutput = 1 << 20
    /// Those that are ended together; `nil`: nobody ends it early.
    var programs: RunningPrograms?

    /// The time in which it must end, whatever it waits for: twelve times the CPU time that it gets, as a child that is niced by 10
    /// has a tenth of a core beside a busy program.
    var longest = Duration.seconds(120)
    /// What is kept of its complaints.
    private static let mostComplaint = 4_096

    /// Runs it to its end. Throws where the system has no process left.
    func run() throws(ScorePageError) -> Outcome {
        var (output, complaint) = (Pipe(), Pipe())
        defer {
            output.close()
            complaint.close()
        }
        guard output.open(), complaint.open() else { throw Self.noResources("descriptor") }
        let child = try start(output: outputFile ?? output.writing, complaint: complaint.writing)
        programs?.add(child)
        output.closeWriting()
        complaint.closeWriting()
        let latest = MonotonicTime.now() + longest
        var end = collect(&output, &complaint, until: latest) ? nil : Outcome.End.timedOut
        if output.isOverflowing { end = .tooMuch }
        // One that has closed its pipes may still run.
        if end == nil, !hasEnded(child, before: latest) { end = .timedOut }
        // The whole group: a sandbox has a child of its own.
        if end != nil { kill(-child, SIGKILL) }
        programs?.remove(child)
        var status: Int32 = 0
        while waitpid(child, &status, 0) < 0 && errno == EINTR {}
        // What the group has left behind.
        kill(-child, SIGKILL)
        let signal = status & 0x7F
        return Outcome(
            end: end ?? (signal == 0 ? .exited(status >> 8 & 0xFF) : .killed(signal)), output: output.bytes,
            complaint: String(decoding: complaint.bytes, as: UTF8.self))
    }

    private func start(output: Int32, complaint: Int32) throws(ScorePageError) -> pid_t {
        var arguments = command.map { strdup($0) } + [nil]
        // Nothing of the user's settings reaches it.
        let settings: [String] = ["PATH=/usr/bin:/bin", "LC_ALL=C.UTF-8", "HOME=/nonexistent"]
        var environment = settings.map { strdup($0) } + [nil]
        defer { for text in arguments + environment { free(text) } }
        // From the beginning of the file, wherever another reader has left it.
        lseek(input, 0, SEEK_SET)
        var child: pid_t = 0
        let error = linux_start(command[0], &arguments, &environment, [input, output, complaint], &child)
        guard error == 0 else {
            throw ScorePageError(
                problem: "cannot run \"\(command[0])\" (\(systemReason(error)))", remedy: "close other programs")
        }
        return child
    }

    /// Waits until a child has ended, without taking its status; false when the time is up.
    private func hasEnded(_ child: pid_t, before end: MonotonicTime) -> Bool {
        var information = siginfo_t()
        while true {
            let found = waitid(P_PID, id_t(child), &information, WEXITED | WNOHANG | WNOWAIT)
            if found == 0 && information.si_signo == SIGCHLD { return true }
            guard found == 0 || errno == EINTR, MonotonicTime.now() < end else { return false }
            usleep(1_000)
        }
    }

    /// Reads until both pipes are closed; false when the time is up.
    private func collect(_ output: inout Pipe, _ complaint: inout Pipe, until end: MonotonicTime) -> Bool {
        while output.isOpen || complaint.isOpen {
            let left = end - .now()
            guard left > .zero else { return false }
            var waiting = [pollfd(), pollfd()]
            (waiting[0].fd, waiting[1].fd) = (output.reading, complaint.reading)
            (waiting[0].events, waiting[1].events) = (Int16(POLLIN), Int16(POLLIN))
            guard poll(&waiting, 2, Int32(left / .milliseconds(1)) + 1) >= 0 || errno == EINTR else { return false }
            if waiting[0].revents != 0 { output.read(atMost: mostOutput) }
            if output.isOverflowing { return true }
            // Complaints beyond what is kept are read and dropped.
            if waiting[1].revents != 0 { complaint.read(atMost: Self.mostComplaint) }
        }
        return true
    }

    static func noResources(_ resource: String) -> ScorePageError {
        let error = ResourceError(resource)
        return ScorePageError(problem: error.problem, remedy: error.remedy)
    }
}
