// swift-tools-version: 6.2
import PackageDescription

// A package of its own, so that whoever imports WellTempered never sees it.
// `TRAITS=none swift run ...` measures without FFTW.
let traits: Set<Package.Dependency.Trait> = Context.environment["TRAITS"] == "none" ? [] : [.defaults]

let package = Package(
    name: "Benchmarks",
    platforms: [.macOS(.v26)],
    dependencies: [
        .package(name: "WellTempered", path: "..", traits: traits),
        .package(url: "https://github.com/apple/swift-argument-parser", from: "1.8.2"),
    ],
    targets: [
        .systemLibrary(
            name: "CMeasurement", path: "Sources/CMeasurement", pkgConfig: "sndfile",
            providers: [.apt(["libsndfile1-dev"])]),
        .executableTarget(
            name: "accuracy",
            dependencies: [
                "CMeasurement",
                .product(name: "WellTempered", package: "WellTempered"),
                .product(name: "ArgumentParser", package: "swift-argument-parser"),
            ]),
        .executableTarget(
            name: "RenderBenchmark", dependencies: [.product(name: "WellTempered", package: "WellTempered")]),
        .executableTarget(
            name: "TransformBenchmark", dependencies: [.product(name: "WellTempered", package: "WellTempered")]),
    ],
    swiftLanguageModes: [.v6]
)
