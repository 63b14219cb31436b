import Benchmark
import Kernels

/// Wall and CPU time and heap calls of every kernel. Thresholds on them would only measure the machine: instructions
/// have thresholds, see `bench check`.
let benchmarks: @Sendable () -> Void = {
    let heapCalls = BenchmarkMetric.custom("Heap calls in 1,000 units")
    for kernel in Kernel.all {
        Benchmark(
            "\(kernel.name), per \(kernel.unit)",
            configuration: .init(
                metrics: [.wallClock, .cpuTotal, heapCalls], timeUnits: .microseconds, warmupIterations: 2,
                scalingFactor: .kilo, maxDuration: .milliseconds(400), maxIterations: 200)
        ) { benchmark in
            let work = try kernel.prepared()
            let calls = try kernel.heapCalls()
            benchmark.startMeasurement()
            work(1_000)
            benchmark.stopMeasurement()
            benchmark.measurement(heapCalls, calls * 1_000)
        }
    }
}
