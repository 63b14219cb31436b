import CAllocationProbe
import CMeasuredRegion

/// A part of the toolkit that is measured by itself.
public struct Kernel: Sendable {
    /// What it is called in tables and in the file of thresholds.
    public let name: String
    /// What one unit of work is.
    public let unit: String
    /// How many units give a count that start-up effects do not touch.
    public let units: Int
    private let make: @Sendable () throws -> (Int) -> Void

    /// A kernel that `make` prepares; the closure does so many units of work.
    public init(_ name: String, per unit: String, units: Int, _ make: @escaping @Sendable () throws -> (Int) -> Void) {
        (self.name, self.unit, self.units, self.make) = (name, unit, units, make)
    }

    /// All of them, in the order of the tables.
    public static var all: [Kernel] { transforms + [fit] + tuner + clicks + rings }

    /// The work, ready to run: call it with a number of units. It has been run once, so that tables are in place.
    public func prepared() throws -> (Int) -> Void {
        let work = try make()
        work(units)
        return work
    }

    /// Runs the kernel once inside `measured_region`, for a counting tool.
    public func runInRegion() throws {
        let box = Box((try prepared(), units))
        measured_region(
            { context in
                guard let context else { return }
                let (work, units) = Unmanaged<Box<((Int) -> Void, Int)>>.fromOpaque(context).takeUnretainedValue().value
                work(units)
            }, Unmanaged.passUnretained(box).toOpaque())
        withExtendedLifetime(box) {}
    }

    /// Heap calls of 1,000 units of work; -1 where they cannot be counted.
    public func heapCalls() throws -> Int {
        let work = try prepared()
        allocation_probe_reset()
        work(1_000)
        return allocation_probe_count()
    }
}

/// Whether the heap counter sees a heap call: without that its zeros say nothing.
@_optimize(none) public func heapCounterCounts() -> Bool {
    allocation_probe_reset()
    let memory = UnsafeMutableRawPointer.allocate(byteCount: 64, alignment: 8)
    memory.deallocate()
    return allocation_probe_count() > 0
}

/// Room for something that cannot be copied, so that a closure can keep it.
public final class Box<Value: ~Copyable> {
    /// The thing.
    public var value: Value
    /// Moves it in.
    public init(_ value: consuming Value) { self.value = value }
}
