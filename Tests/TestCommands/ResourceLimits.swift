internal import Testing

extension SimulatedCard {
    /// Runs a command of ours with ever more threads and then descriptors to be had, until it succeeds: each time before, it
    /// must explain what is missing and end with status 71, and neither hang nor crash.
    ///
    /// - Parameters:
    ///   - threads: how many the command needs besides its main thread.
    ///   - success: the status that it ends with when it has what it needs.
    public func expectResourceErrors(_ name: String, _ arguments: String, threads: Int, success: Int32 = 0) throws {
        // Threads with stacks of 4 GB, and address space for so many of them; 3 GB are enough for everything else.
        for count in 0...threads {
            let limits = "ulimit -s 4194304; ulimit -v \(3_000_000 + count * 4_194_304)"
            let outcome = try shell("\(limits); exec \"$0\" \(arguments)", with: name, limit: 20)
            guard count < threads else {
                #expect(outcome.status == success, "\(name) \(arguments), \(count) threads: \(outcome.errors)")
                break
            }
            #expect(outcome.status == 71, "\(name) \(arguments), \(count) threads: \(outcome.errors)")
            #expect(outcome.errors == "\(name): the system has no thread left: close other programs and try again\n")
        }
        // Three are the standard streams, and the dynamic linker needs a fourth.
        for count in 4... {
            let outcome = try shell("ulimit -n \(count); exec \"$0\" \(arguments)", with: name, limit: 20)
            guard outcome.status != success else {
                #expect(count > 5, "\(name) \(arguments): the limit has no effect")
                break
            }
            #expect(outcome.status == 71, "\(name) \(arguments), \(count) descriptors: \(outcome.errors)")
            #expect(
                outcome.errors == "\(name): the system has no file descriptor left: close other programs and try again\n")
            try #require(count < 40)
        }
    }
}
