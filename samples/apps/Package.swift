// swift-tools-version: 6.2
import PackageDescription

// Five small programs, one idea each. To start one of your own, copy this folder, name a version instead of a path:
//     .package(url: "https://example.com/well-tempered.git", from: "0.1.0")
// and as the package the last part of that address, here "well-tempered". WellTempered runs wherever Swift does;
// WellTemperedAudio (sound files and ALSA devices) is for Linux.
let dsp: Target.Dependency = .product(name: "WellTempered", package: "WellTempered")
let audio: Target.Dependency = .product(name: "WellTemperedAudio", package: "WellTempered")

let package = Package(
    name: "apps",
    platforms: [.macOS(.v26)],
    dependencies: [.package(name: "WellTempered", path: "../..")],
    targets: [
        .executableTarget(name: "PitchOfAFile", dependencies: [dsp, audio]),
        .executableTarget(name: "IntonationMeter", dependencies: [dsp, audio]),
        .executableTarget(name: "ClickInACallback", dependencies: [dsp, audio]),
        .executableTarget(name: "DrumMachine", dependencies: [dsp, audio]),
        .executableTarget(name: "DetectorOfYourOwn", dependencies: [dsp, audio]),
    ],
    swiftLanguageModes: [.v6]
)
