// swift-tools-version: 6.2
import PackageDescription

// The lock-free parts and their tests by themselves (the folders are links), to be run under ThreadSanitizer:
//
//     swift test --sanitize=thread --package-path Tests/ThreadSanitizer --filter ThreadTests
//
// By themselves, because swiftc 6.3.1 with the thread sanitizer emits broken code for vector kernels elsewhere.

let sharedSettings: [SwiftSetting] = [
    .enableUpcomingFeature("InternalImportsByDefault"),
    .enableUpcomingFeature("MemberImportVisibility"),
    .enableUpcomingFeature("ExistentialAny"),
    .enableExperimentalFeature("Lifetimes"),
    .treatAllWarnings(as: .error),
]

let package = Package(
    name: "ThreadSanitizer",
    platforms: [.macOS(.v26)],
    targets: [
        .target(name: "CRealtime"),
        .target(name: "CAllocationProbe"),
        .target(name: "Realtime", dependencies: ["CRealtime"], swiftSettings: sharedSettings),
        .target(name: "TestSignals", swiftSettings: sharedSettings),
        .testTarget(
            name: "RealtimeTests", dependencies: ["Realtime", "TestSignals", "CAllocationProbe"],
            swiftSettings: sharedSettings),
    ],
    swiftLanguageModes: [.v6]
)
