// swift-tools-version: 6.2
import PackageDescription

// A package of its own, so that whoever imports WellTempered never sees it.
let package = Package(
    name: "Benchmarks",
    platforms: [.macOS(.v26)],
    dependencies: [.package(name: "WellTempered", path: "..")],
    targets: [
        .executableTarget(
            name: "TransformBenchmark", dependencies: [.product(name: "WellTempered", package: "WellTempered")])
    ],
    swiftLanguageModes: [.v6]
)
