// swift-tools-version: 6.2
import PackageDescription

// Eight small programs. To start your own, copy this folder and replace the path by an address and a version:
//     .package(url: "https://example.com/well-tempered.git", from: "0.1.0")
// and the package's name by the last part of the address, here "well-tempered". WellTempered runs wherever Swift does;
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
        .executableTarget(name: "StringsOfAStrum", dependencies: [dsp, audio]),
        .executableTarget(name: "NotesOfATake", dependencies: [dsp, audio]),
        .executableTarget(name: "TimingOfATake", dependencies: [dsp, audio]),
        .executableTarget(name: "BeatOfATake", dependencies: [dsp, audio]),
        .executableTarget(name: "ClickInACallback", dependencies: [dsp, audio]),
        .executableTarget(name: "DrumMachine", dependencies: [dsp, audio]),
        .executableTarget(name: "DetectorOfYourOwn", dependencies: [dsp, audio]),
    ],
    swiftLanguageModes: [.v6]
)
