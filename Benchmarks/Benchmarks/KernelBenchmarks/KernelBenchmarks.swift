import Benchmark
import Glibc
import Kernels

/// Wall and CPU time and heap calls of every kernel. Thresholds on them would only measure the machine: instructions
/// have thresholds, see `bench check`.
///
/// The package's own CPU metric counts in ticks of 10 ms: the thread's clock counts in nanoseconds.
let benchmarks: @Sendable () -> Void = {
    let processor = BenchmarkMetric.custom("CPU of the thread (ns)")
    let heapCalls = BenchmarkMetric.custom("Heap calls in 1,000 units")
    for kernel in Kernel.all {
        Benchmark(
            "\(kernel.name), per \(kernel.unit)",
            configuration: .init(
                metrics: [.wallClock, processor, heapCalls], timeUnits: .nanoseconds, warmupIterations: 2,
                scalingFactor: .kilo, maxDuration: .seconds(1), maxIterations: 200)
        ) { benchmark in
            let work = try kernel.prepared()
            let calls = try kernel.heapCalls()
            let before = threadNanoseconds()
            benchmark.startMeasurement()
            work(1_000)
            benchmark.stopMeasurement()
            benchmark.measurement(processor, threadNanoseconds() - before)
            benchmark.measurement(heapCalls, calls * 1_000)
        }
    }
}

/// What this thread has had of a processor.
private func threadNanoseconds() -> Int {
    var time = timespec()
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
    return time.tv_sec * 1_000_000_000 + time.tv_nsec
}
