import ArgumentParser
import Foundation
import Kernels
import Rivals

/// Instructions by valgrind's callgrind: the same on a busy machine, and no counters of the processor needed.
///
/// Callgrind counts inside `measured_region` only, and writes a file each time it is left: one per kernel, in order.
struct InstructionCounter {
    /// A function that is counted where it is called: the median of its calls while a kernel runs.
    struct Part {
        let name: String
        let function: String
        let kernel: String
    }
    static let parts = [
        Part(
            name: "looking for an attack in a step", function: "$s5Pitch14AttackDetectorV4hear",
            kernel: "tracker: a held A2")
    ]

    /// Instructions per unit of work or per call, by the name of the kernel or part.
    func counts(ofRivals: Bool = false) throws -> [String: Double] {
        var counts = try kernelCounts(ofRivals: ofRivals)
        if ofRivals { return counts }
        for part in Self.parts {
            let calls = try totals(of: part.function, arguments: ["region", "--only", part.kernel]).sorted()
            guard calls.count > 100 else {
                throw ValidationError("\(part.name): \(calls.count) calls found; has the function a new name?")
            }
            counts[part.name] = calls[calls.count / 2]
        }
        return counts
    }

    private func kernelCounts(ofRivals: Bool) throws -> [String: Double] {
        let kernels = ofRivals ? Kernel.rivals : Kernel.all
        if kernels.isEmpty { return [:] }
        let totals = try totals(of: "measured_region", arguments: ["region"] + (ofRivals ? ["--rivals"] : []))
        guard totals.count == kernels.count else {
            throw ValidationError("\(totals.count) regions counted, there are \(kernels.count) kernels")
        }
        return Dictionary(uniqueKeysWithValues: zip(kernels, totals).map { ($0.name, $1 / Double($0.units)) })
    }

    /// Instructions of each call of the function whose symbol begins with `beginning`, in a run of this program.
    func totals(of beginning: String, arguments: [String]) throws -> [Double] {
        let folder = FileManager.default.temporaryDirectory.appending(path: "callgrind-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let executable = URL(filePath: "/proc/self/exe").resolvingSymlinksInPath().path()
        // Callgrind writes a file per call only for a name in full.
        let symbols = try Shell.output(of: ["nm", executable]).split(separator: "\n")
            .compactMap { $0.split(separator: " ").last }
        guard let function = symbols.first(where: { $0.hasPrefix(beginning) }) else {
            throw ValidationError("no function \(beginning): has it a new name, or did the compiler inline it?")
        }
        // Without debugging information, which valgrind 3.19 cannot read in the form that clang writes.
        let program = folder.appending(path: "program").path()
        _ = try Shell.output(of: ["strip", "-g", "-o", program, executable])
        _ = try Shell.output(
            of: [
                "valgrind", "--tool=callgrind", "--collect-atstart=no", "--toggle-collect=\(function)",
                "--dump-after=\(function)", "--callgrind-out-file=\(folder.path())/counts", program,
            ] + arguments)
        var totals: [Double] = []
        while let text = try? String(contentsOf: folder.appending(path: "counts.\(totals.count + 1)"), encoding: .utf8)
        {
            guard let line = text.split(separator: "\n").last(where: { $0.hasPrefix("totals:") }),
                let total = Double(line.dropFirst(7).trimmingCharacters(in: .whitespaces))
            else { break }
            totals.append(total)
        }
        return totals
    }
}
