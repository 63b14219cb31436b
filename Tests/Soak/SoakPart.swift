import Glibc

/// A part of the program that runs for weeks of simulated time, one minute after the other, each with a fault.
///
/// A class: of a structure that holds an engine, the compiler tracks each of its thousands of fields through each function. With
/// structures this module took 290 s to compile, with classes 4.
protocol SoakPart: AnyObject {
    /// What runs, and for how long by itself; what is computed and what is left out.
    var title: String { get }
    /// Runs one minute.
    func runMinute(_ number: Int) throws
    /// What was counted, in the order in which it is printed.
    var counters: [(name: String, value: String)] { get }
    /// What is wrong with it, if something is.
    var complaints: [String] { get }
}

/// Runs a part for so many minutes and prints what it counted. Returns whether all is right.
///
/// Memory is compared from the tenth part of the run on, an hour at least: by then every kind of fault has occurred and every
/// bounded store is full.
func soak(_ part: some SoakPart, minutes: Int) throws -> Bool {
    print(part.title)
    let warmUp = min(minutes - 1, max(60, minutes / 10))
    var before = Footprint.now()
    for number in 0..<minutes {
        if number == warmUp { before = Footprint.now() }
        try part.runMinute(number)
    }
    let after = Footprint.now()
    var rows = [("minutes", "\(minutes), a fault in each")] + part.counters.map { ($0.name, $0.value) }
    rows.append(("heap", "\(before.heap) bytes after warm-up, \(after.heap) at the end"))
    rows.append(("memory", "\(before.pages) pages after warm-up, \(after.pages) at the end"))
    rows.append(("open files", "\(before.handles) after warm-up, \(after.handles) at the end"))
    for (name, value) in rows {
        print("  " + name + String(repeating: " ", count: max(1, 22 - name.count)) + value)
    }
    var complaints = part.complaints
    // A page: what printing and counting take.
    if after.heap - before.heap > 4_096 { complaints.append("the heap grew by \(after.heap - before.heap) bytes") }
    // 256 KiB: pages that were handed out and got back, and are touched again in another place. A leak shows in the heap.
    if after.pages - before.pages > 64 { complaints.append("memory grew by \(after.pages - before.pages) pages") }
    if after.handles != before.handles { complaints.append("files were left open") }
    for complaint in complaints { print("  WRONG: \(complaint)") }
    print("")
    // Each part as soon as it is over.
    fflush(nil)
    return complaints.isEmpty
}
