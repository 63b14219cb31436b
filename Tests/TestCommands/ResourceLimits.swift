extension SimulatedCard {
    /// Runs a command of ours with ever more threads, and then ever more descriptors, until it has what it needs. Each time
    /// before, it must explain what is missing and end with status 71; it must neither hang nor crash.
    ///
    /// - Parameters:
    ///   - threads: how many the command needs besides its main thread.
    ///   - success: the status with which it ends when it has what it needs.
    /// - Returns: what went otherwise.
    public func resourceComplaints(
        _ name: String, _ arguments: String, threads: Int, success: Int32 = 0
    ) throws -> [String] {
        var complaints: [String] = []
        func run(_ limits: String, missing resource: String?) throws -> Int32 {
            // What is inherited takes descriptors, too: those of make's job server.
            let closed = (3...9).map { "\($0)<&-" }.joined(separator: " ")
            let outcome = try shell("exec \(closed); \(limits); exec \"$0\" \(arguments)", with: name, limit: 30)
            let expected = resource.map {
                "\(name): the system has no \($0) left: close other programs, or raise the limit (`ulimit -a`)\n"
            }
            let isRight = expected.map { outcome.status == 71 && outcome.errors == $0 } ?? (outcome.status == success)
            if outcome.status != success, !isRight {
                complaints.append("\(limits): \(name) \(arguments): status \(outcome.status), \(outcome.errors)")
            }
            return outcome.status
        }
        // Threads with stacks of 4 GB, and address space for so many of them; 3 GB are enough for everything else.
        for count in 0...threads {
            let limits = "ulimit -s 4194304; ulimit -v \(3_000_000 + count * 4_194_304)"
            let status = try run(limits, missing: count < threads ? "thread" : nil)
            if (status == success) != (count == threads) { complaints.append("\(limits): status \(status)") }
        }
        // Three are the standard streams, and the dynamic linker needs a fourth.
        let enough = try (4...40).first { try run("ulimit -n \($0)", missing: "file descriptor") == success }
        if enough ?? 0 < 6 { complaints.append("no limit of descriptors had an effect: \(enough ?? 0)") }
        return complaints
    }
}
