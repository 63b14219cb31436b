// swift-tools-version: 6.2
import PackageDescription

// The numeric tests on the package as an importer gets it by default: without the trait FFTW, so on the FFT of our own.
// The folders are links. `make check` runs them:
//
//     swift build --build-tests -c release -Xswiftc -enable-testing --package-path Tests/OwnFFT

let houseRules: [SwiftSetting] = [
    .enableUpcomingFeature("InternalImportsByDefault"),
    .enableUpcomingFeature("MemberImportVisibility"),
    .enableUpcomingFeature("ExistentialAny"),
    .enableExperimentalFeature("Lifetimes"),
    .treatAllWarnings(as: .error),
]

let package = Package(
    name: "OwnFFT",
    platforms: [.macOS(.v26)],
    dependencies: [.package(name: "WellTempered", path: "../..")],
    targets: [
        .target(name: "CAllocationProbe"),
        .target(name: "TestSignals", swiftSettings: houseRules),
    ]
        + ["SpectralTests", "PitchTests", "TunerEngineTests"].map { name in
            .testTarget(
                name: name,
                dependencies: [
                    "TestSignals", "CAllocationProbe", .product(name: "WellTempered", package: "WellTempered"),
                ],
                swiftSettings: houseRules)
        },
    swiftLanguageModes: [.v6]
)
