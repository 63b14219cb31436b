import ArgumentParser
import Foundation
import Kernels
import Rivals

/// `bench check`: instructions per unit of work, held against the thresholds of the repository.
struct Check: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Counts the instructions of every kernel and compares them with the thresholds.")
    @Option(help: "The file of thresholds.") var thresholds = "thresholds.json"
    @Flag(help: "Write the counts into the file instead: they become the thresholds.") var update = false

    func run() throws {
        let file = URL(filePath: thresholds)
        guard heapCounterCounts() else { throw ValidationError("the counter of heap calls counts nothing here") }
        let counts = try InstructionCounter().counts()
        if update {
            try Thresholds(counts: counts).write(to: file)
            print("\(counts.count) thresholds written to \(thresholds)")
            return
        }
        let limits = try Thresholds(reading: file)
        var failures = 0
        print(line("kernel", "unit", "instructions", "threshold", "used", ""))
        let units =
            Kernel.all.map { ($0.name, $0.unit) } + InstructionCounter.parts.map { ($0.name, "call, median") }
        for (name, unit) in units {
            guard let count = counts[name] else { throw ValidationError("not counted: \(name)") }
            let limit = limits.limit(name)
            let verdict = limits.verdict(on: count, for: name)
            failures += verdict == "ok" ? 0 : 1
            print(
                line(
                    name, unit, grouped(count), limit.map(grouped) ?? "", limit.map { share(count, $0) } ?? "", verdict)
            )
        }
        // A kernel that is not run any more is not within its threshold either.
        for (name, count) in limits.instructions.sorted(by: { $0.key < $1.key }) where counts[name] == nil {
            failures += 1
            print(line(name, "", "", grouped(count), "", "NO KERNEL"))
        }
        for ratio in limits.ratios {
            guard let upper = counts[ratio.of], let lower = counts[ratio.to], lower > 0 else {
                throw ValidationError("no such kernels: \(ratio.of), \(ratio.to)")
            }
            let isMet = upper / lower <= ratio.atMost
            failures += isMet ? 0 : 1
            print(
                line(
                    "\(ratio.of) / \(ratio.to)", "", String(format: "%.2f", upper / lower),
                    String(format: "%.2f", ratio.atMost), share(upper / lower, ratio.atMost), isMet ? "ok" : "SLOWER"))
        }
        for kernel in Kernel.all {
            let calls = try kernel.heapCalls()
            failures += calls == 0 ? 0 : 1
            print(line(kernel.name, "1,000 units", "\(calls) heap calls", "0", "", calls == 0 ? "ok" : "ALLOCATES"))
        }
        print(
            failures == 0
                ? "all within their thresholds"
                : "\(failures) beyond their thresholds; where that is meant to be, --update writes new ones")
        if failures > 0 { throw ExitCode(1) }
    }

    /// How much of what is allowed is used.
    private func share(_ value: Double, _ limit: Double) -> String { String(format: "%.1f %%", 100 * value / limit) }

    private func line(
        _ name: String, _ unit: String, _ value: String, _ limit: String, _ used: String, _ verdict: String
    ) -> String {
        pad(name, 44) + pad(unit, 13) + padLeft(value, 14) + padLeft(limit, 13) + padLeft(used, 9) + "  " + verdict
    }
}

/// `bench region N`: what a counting tool runs.
struct Region: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Runs the kernels one after the other inside measured_region, and prints nothing.")

    @Option(help: "Only the kernel of this name.") var only: String?

    @Flag(help: "The rivals' instead of ours.") var rivals = false

    func run() throws {
        for kernel in rivals ? Kernel.rivals : Kernel.all where only == nil || only == kernel.name {
            try kernel.runInRegion()
        }
    }
}
