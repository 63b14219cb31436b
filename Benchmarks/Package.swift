// swift-tools-version: 6.2
import PackageDescription

// A package of its own, so that whoever imports WellTempered never sees it.
// `TRAITS=none swift run ...` measures without FFTW.
//
// `make bench-check` holds instruction counts against thresholds.json.
let traits: Set<Package.Dependency.Trait> = Context.environment["TRAITS"] == "none" ? [] : ["FFTW"]

let package = Package(
    name: "Benchmarks",
    platforms: [.macOS(.v26)],
    dependencies: [
        .package(name: "WellTempered", path: "..", traits: traits),
        .package(url: "https://github.com/apple/swift-argument-parser", from: "1.8.2"),
        // The oracle that the beats are held against.
        .package(url: "https://github.com/attaswift/BigInt", from: "6.0.0"),
        // Its malloc counter needs a package more; heap calls are counted by CAllocationProbe.
        .package(url: "https://github.com/ordo-one/benchmark", from: "1.38.1", traits: []),
    ],
    targets: [
        .systemLibrary(
            name: "CMeasurement", path: "Sources/CMeasurement", pkgConfig: "sndfile",
            providers: [.apt(["libsndfile1-dev"])]),
        .executableTarget(
            name: "accuracy",
            dependencies: [
                "CMeasurement", "Figures", "RealNotes",
                .product(name: "WellTempered", package: "WellTempered"),
                .product(name: "ArgumentParser", package: "swift-argument-parser"),
            ]),
        // Links: the bar detector, which is no part of a library product, and the reader of its pages.
        .target(name: "BarDetection"),
        .systemLibrary(name: "CPNG", path: "Sources/CPNG", providers: [.apt(["libpng-dev"])]),
        .executableTarget(
            name: "bars",
            dependencies: [
                "BarDetection", "CPNG", "Figures", .product(name: "ArgumentParser", package: "swift-argument-parser"),
            ]),
        .target(
            name: "Figures",
            dependencies: ["CMeasurement", .product(name: "ArgumentParser", package: "swift-argument-parser")]),
        .executableTarget(
            name: "onsets",
            dependencies: [
                "Figures", "CAllocationProbe", "CMeasurement", .product(name: "WellTempered", package: "WellTempered"),
                .product(name: "ArgumentParser", package: "swift-argument-parser"),
            ]),
        .executableTarget(
            name: "tempo",
            dependencies: [
                "Figures", "CAllocationProbe", .product(name: "WellTempered", package: "WellTempered"),
                .product(name: "ArgumentParser", package: "swift-argument-parser"),
            ]),
        .executableTarget(
            name: "follow",
            dependencies: [
                "Figures", .product(name: "WellTempered", package: "WellTempered"),
                .product(name: "ArgumentParser", package: "swift-argument-parser"),
            ]),
        .executableTarget(
            name: "notes",
            dependencies: [
                "Figures", "CAllocationProbe", .product(name: "WellTempered", package: "WellTempered"),
                .product(name: "ArgumentParser", package: "swift-argument-parser"),
            ]),
        .executableTarget(
            name: "strums",
            dependencies: [
                "Figures", "CAllocationProbe", .product(name: "WellTempered", package: "WellTempered"),
                .product(name: "ArgumentParser", package: "swift-argument-parser"),
            ]),
        .target(
            name: "RealNotes",
            dependencies: ["Figures", .product(name: "WellTemperedAudio", package: "WellTempered")],
            resources: [.copy("Notes")]),
        // A link: the tests' own counter of heap calls.
        .target(name: "CAllocationProbe"),
        .target(name: "CMeasuredRegion"),
        .target(name: "CTerminal"),
        .target(name: "CLingot"),
        .target(
            name: "Kernels",
            dependencies: [
                "Figures", "CAllocationProbe", "CMeasuredRegion",
                .product(name: "WellTempered", package: "WellTempered"),
            ]),
        .executableTarget(
            name: "KernelBenchmarks", dependencies: ["Kernels", .product(name: "Benchmark", package: "benchmark")],
            path: "Benchmarks/KernelBenchmarks", plugins: [.plugin(name: "BenchmarkPlugin", package: "benchmark")]),
        .target(
            name: "Rivals",
            dependencies: ["CLingot", "Kernels", .product(name: "WellTempered", package: "WellTempered")]),
        .executableTarget(
            name: "bench",
            dependencies: [
                "CTerminal", "Figures", "Kernels", "RealNotes", "Rivals",
                .product(name: "WellTempered", package: "WellTempered"),
                .product(name: "WellTemperedAudio", package: "WellTempered"),
                .product(name: "ArgumentParser", package: "swift-argument-parser"),
            ]),
        .executableTarget(
            name: "BeatOracle",
            dependencies: [
                .product(name: "WellTempered", package: "WellTempered"), .product(name: "BigInt", package: "BigInt"),
            ]),
        .executableTarget(
            name: "RenderBenchmark", dependencies: [.product(name: "WellTempered", package: "WellTempered")]),
        .executableTarget(
            name: "TransformBenchmark", dependencies: [.product(name: "WellTempered", package: "WellTempered")]),
    ],
    swiftLanguageModes: [.v6]
)
