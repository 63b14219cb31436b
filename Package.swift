// swift-tools-version: 6.2
import PackageDescription

// Three layers: DSP computes, IO moves sound, CLI talks to people. A layer imports only layers below it.
// Tests/ArchitectureTests checks these dependencies against the layers, and every import line against them.

/// The settings of every target: no implicit re-exports, no members from modules that are not imported, no warnings.
let sharedSettings: [SwiftSetting] = [
    .enableUpcomingFeature("InternalImportsByDefault"),
    .enableUpcomingFeature("MemberImportVisibility"),
    .enableUpcomingFeature("ExistentialAny"),
    .enableExperimentalFeature("Lifetimes"),
    .treatAllWarnings(as: .error),
]

/// - Parameter folder: where it lies, if not in a folder of its own name.
func target(
    _ name: String, in layer: String, _ dependencies: [Target.Dependency] = [], folder: String? = nil,
    resources: [Resource] = []
) -> Target {
    .target(
        name: name, dependencies: dependencies, path: "Sources/\(layer)/\(folder ?? name)", resources: resources,
        swiftSettings: sharedSettings)
}

/// `make fuzz` sets it. libFuzzer brings its own `main`, so the commands are libraries then.
let isFuzzing = Context.environment["WELL_TEMPERED_FUZZ"] != nil

func command(_ name: String, _ dependencies: [Target.Dependency], folder: String? = nil) -> Target {
    let path = "Sources/CLI/\(folder ?? name)"
    return isFuzzing
        ? .target(name: name, dependencies: dependencies, path: path, swiftSettings: sharedSettings)
        : .executableTarget(name: name, dependencies: dependencies, path: path, swiftSettings: sharedSettings)
}

func tests(_ name: String, _ dependencies: [Target.Dependency], resources: [Resource] = []) -> Target {
    .testTarget(
        name: name, dependencies: dependencies, path: "Tests/\(name)", resources: resources,
        swiftSettings: sharedSettings)
}

let argumentParser: Target.Dependency = .product(name: "ArgumentParser", package: "swift-argument-parser")

let tomlKit: Target.Dependency = .product(name: "TOMLKit", package: "TOMLKit")

/// The music stand's server, and nothing else.
let nio: [Target.Dependency] = ["NIOCore", "NIOPosix", "NIOHTTP1", "NIOWebSocket"].map {
    .product(name: $0, package: "swift-nio")
}

/// Its encryption, fetched and built with the trait TLS only.
let nioSSL: [Target.Dependency] = [
    .product(name: "NIOSSL", package: "swift-nio-ssl", condition: .when(traits: ["TLS"]))
]

/// Channels without a network, in a time of their own.
let embedded: [Target.Dependency] = ["NIOCore", "NIOEmbedded"].map { .product(name: $0, package: "swift-nio") }

/// What reads the requests and frames of a connection, without a network.
let framing: [Target.Dependency] = ["NIOCore", "NIOEmbedded", "NIOHTTP1", "NIOWebSocket"].map {
    .product(name: $0, package: "swift-nio")
}

let bigInt: Target.Dependency = .product(name: "BigInt", package: "BigInt")

/// The readers of what comes from outside: tests that replay the corpora of `make fuzz`.
let fuzzTests = tests(
    "FuzzTests",
    [
        "Configuration", "AudioIO", "PracticeLog", "ScorePages", "EmbeddingC", "CWellTempered", "ScoreFiles",
        "Notation", "Timebase",
        "Intonation", "Music", "tuner", "MetronomeCLI", "musicstand", argumentParser, "Stand", "Transport", "CExpat",
        "TerminalUI",
    ] + framing)

/// The same readers for libFuzzer.
let fuzzing: [Target] = [
    .target(
        name: "FuzzTargets", dependencies: fuzzTests.dependencies, path: "Tests/FuzzTests/Targets",
        swiftSettings: sharedSettings),
    .executableTarget(name: "fuzz", dependencies: ["FuzzTargets"], path: "Tests/Fuzz"),
]

let package = Package(
    name: "WellTempered",
    platforms: [.macOS(.v26), .iOS(.v26)],
    products: [
        // `import WellTempered` re-exports all of them. They are listed because SwiftPM recompiles an importer only when a
        // module of the product itself changes, not when a re-exported one does.
        .library(
            name: "WellTempered",
            targets: [
                "WellTempered", "TunerEngine", "MetronomeEngine", "Intonation", "Rhythm", "Pitch", "Strum", "Synthesis",
                "Timebase", "Spectral", "Realtime", "Music", "Notation", "ScoreFiles", "Transcription",
            ]),
        // Linux: sound files and ALSA streams for apps that have no audio layer of their own.
        .library(name: "WellTemperedAudio", targets: ["AudioIO", "ALSABackend", "Platform"]),
        // For C: see Sources/C/CWellTempered/include/well_tempered.h (`make c-header`) and `make c-library`.
        .library(name: "WellTemperedC", type: .dynamic, targets: ["EmbeddingC"]),
        // The commands are not declared as products: SwiftPM makes them executable here anyway, and an importer neither
        // fetches nor builds what only they need.
    ],
    traits: [
        .trait(
            name: "FFTW",
            description: "Use FFTW (GPL-2.0-or-later) for transforms. Off: the package's own FFT (Apache-2.0)."),
        .trait(
            name: "TLS",
            description: "Encrypt the music stand's connections by swift-nio-ssl. Off: no BoringSSL to build."),
        // An importer gets no GPL code and needs no pkg-config. The Makefile builds the commands with FFTW.
        .default(enabledTraits: []),
    ],
    dependencies: [
        .package(url: "https://github.com/apple/swift-argument-parser", from: "1.8.2"),
        // Tests only: exact arithmetic to check the beat clock against.
        .package(url: "https://github.com/attaswift/BigInt", from: "6.0.0"),
        // The commands only: their settings files.
        .package(url: "https://github.com/LebJe/TOMLKit", from: "0.6.0"),
        // The music stand only: its server. Earlier versions let a frame of 2^63 bytes end the program.
        .package(url: "https://github.com/apple/swift-nio", from: "2.101.2"),
        // With the trait TLS only.
        .package(url: "https://github.com/apple/swift-nio-ssl", from: "2.37.6"),
    ],
    targets: [
        // C: module maps, and the C functions that the audio thread may call. ALSA and libsndfile stand in the compiler's
        // default folders, so they need no pkg-config: SwiftPM would warn every importer who has none.
        .systemLibrary(
            name: "CFFTW", path: "Sources/C/CFFTW", pkgConfig: "fftw3f", providers: [.apt(["libfftw3-dev"])]),
        .systemLibrary(name: "CALSA", path: "Sources/C/CALSA", providers: [.apt(["libasound2-dev"])]),
        .systemLibrary(name: "CSoundFile", path: "Sources/C/CSoundFile", providers: [.apt(["libsndfile1-dev"])]),
        .systemLibrary(name: "CSQLite", path: "Sources/C/CSQLite", providers: [.apt(["libsqlite3-dev"])]),
        .systemLibrary(name: "CPNG", path: "Sources/C/CPNG", providers: [.apt(["libpng-dev"])]),
        .systemLibrary(
            name: "CTurboJPEG", path: "Sources/C/CTurboJPEG", providers: [.apt(["libturbojpeg0-dev"])]),
        .systemLibrary(name: "CExpat", path: "Sources/C/CExpat", providers: [.apt(["libexpat1-dev"])]),
        .systemLibrary(name: "CMessageDigest", path: "Sources/C/CMessageDigest", providers: [.apt(["libmd-dev"])]),
        .systemLibrary(name: "CQREncode", path: "Sources/C/CQREncode", providers: [.apt(["libqrencode-dev"])]),
        .target(name: "CRealtime", path: "Sources/C/CRealtime"),
        .target(name: "CLinuxCalls", path: "Sources/C/CLinuxCalls"),
        .target(name: "CWellTempered", path: "Sources/C/CWellTempered"),
        // The spoken count, compiled in.
        .target(
            name: "CSpokenCount", path: "Sources/C/CSpokenCount", exclude: ["LICENSE", "english.wav"]),

        // DSP: arithmetic only. No Foundation, no ALSA, no input or output.
        target("Realtime", in: "DSP", ["CRealtime"]),
        target("Music", in: "DSP", ["CRealtime"]),
        target(
            "Spectral", in: "DSP",
            ["Realtime", "Music", "CRealtime", .target(name: "CFFTW", condition: .when(traits: ["FFTW"]))]),
        target("Pitch", in: "DSP", ["Spectral", "Realtime", "Music", "CRealtime"]),
        target("Strum", in: "DSP", ["Spectral", "Realtime", "Music", "CRealtime"]),
        target("Intonation", in: "DSP", ["Pitch", "Strum", "Realtime", "Music", "CRealtime"]),
        target("Timebase", in: "DSP", ["Music", "Realtime", "CRealtime"]),
        target("Notation", in: "DSP", ["Timebase", "Music"]),
        target("ScoreFiles", in: "DSP", ["Timebase", "Music", "CRealtime"]),
        target("Synthesis", in: "DSP", ["Timebase", "Realtime", "Music", "CRealtime", "CSpokenCount"]),
        target(
            "Rhythm", in: "DSP",
            ["TunerEngine", "Pitch", "Synthesis", "Spectral", "Timebase", "Realtime", "Music", "CRealtime"]),
        target("TunerEngine", in: "DSP", ["Pitch", "Realtime", "Music"]),
        target(
            "Transcription", in: "DSP",
            ["TunerEngine", "Rhythm", "Pitch", "Spectral", "Realtime", "Music", "CRealtime"]),
        target("MetronomeEngine", in: "DSP", ["Synthesis", "Timebase", "Realtime", "Music", "CRealtime"]),
        target(
            "WellTempered", in: "DSP",
            [
                "TunerEngine", "MetronomeEngine", "Intonation", "Rhythm", "Pitch", "Strum", "Synthesis", "Timebase",
                "Spectral", "Realtime", "Music", "Notation", "ScoreFiles", "Transcription",
            ]),
        target(
            "EmbeddingC", in: "DSP",
            [
                "CWellTempered", "TunerEngine", "MetronomeEngine", "Pitch", "Spectral", "Notation", "Timebase",
                "Realtime", "Music",
            ]),

        // IO: the operating system, files, sound cards.
        target("Platform", in: "IO", ["Music", "CLinuxCalls"]),
        target("AudioIO", in: "IO", ["Platform", "Realtime", "Music", "CSoundFile", "CLinuxCalls"]),
        target("ALSABackend", in: "IO", ["AudioIO", "Realtime", "CALSA"]),
        // The commands only.
        target("SQLite", in: "IO", ["Music", "CSQLite"]),
        target("PracticeLog", in: "IO", ["SQLite", "Music"]),
        target("Transport", in: "IO", ["Platform"]),
        target(
            "Stand", in: "IO", ["ScorePages", "Transport", "SQLite", "Platform", "Music"] + nio + nioSSL,
            resources: [.embedInCode("Page")]),
        target(
            "ScorePages", in: "IO",
            ["Platform", "Music", "CPNG", "CTurboJPEG", "CExpat", "CMessageDigest", "CLinuxCalls"]),

        // CLI: thin.
        target(
            "TerminalUI", in: "CLI",
            ["Transport", "Platform", "PracticeLog", "Rhythm", "Music", "Timebase"]),
        // Apart, so that the commands that hear no pitch carry neither its screens nor the code that hears it.
        target("TunerUI", in: "CLI", ["TerminalUI", "Intonation", "Pitch", "Platform", "Music"]),
        target(
            "TakeReports", in: "CLI",
            ["TunerUI", "TerminalUI", "Transcription", "Intonation", "Rhythm", "Platform", "Music"]),
        target(
            "Configuration", in: "CLI",
            [
                "TerminalUI", "AudioIO", "SQLite", "Platform", "Pitch", "Spectral", "Music", argumentParser,
                tomlKit,
            ]),
        target(
            "DeviceCalibration", in: "CLI",
            [
                "TerminalUI", "Configuration", "ALSABackend", "AudioIO", "Rhythm", "Realtime", "Music", argumentParser,
            ]),
        command(
            "tuner",
            [
                "TunerUI", "TerminalUI", "TakeReports", "Configuration", "DeviceCalibration", "ALSABackend", "AudioIO",
                "PracticeLog", "TunerEngine", "Intonation", "Pitch", "Strum", "Synthesis", "Spectral", "Realtime",
                "Music", "Notation",
                "Timebase", "Transcription", "Rhythm", "ScoreFiles",
                "Platform", argumentParser,
            ]),
        // The code of `metronome`, by which `musicstand` plays.
        target(
            "MetronomeCLI", in: "CLI",
            [
                "TerminalUI", "Configuration", "DeviceCalibration", "ALSABackend", "AudioIO", "PracticeLog", "SQLite",
                "MetronomeEngine", "Rhythm", "Synthesis", "Timebase", "Realtime", "Music", "Notation", "ScoreFiles",
                "Transport", "Platform",
                argumentParser,
            ], folder: "metronome"),
        command("metronome", ["MetronomeCLI"], folder: "metronome-main"),
        command(
            "musicstand",
            [
                "MetronomeCLI", "Configuration", "TerminalUI", "Stand", "ScorePages", "Transport", "Platform",
                "CQREncode",
                argumentParser,
            ]),

        // Tests mirror the sources. First the probes and signals that they share.
        .target(name: "CAllocationProbe", path: "Tests/CAllocationProbe"),
        .target(name: "TestSignals", dependencies: [], path: "Tests/TestSignals", swiftSettings: sharedSettings),
        .target(
            name: "TestNotes", dependencies: ["Transcription", "Intonation", "Pitch", "Music"], path: "Tests/TestNotes",
            swiftSettings: sharedSettings),
        .target(
            name: "TestPlans", dependencies: ["Notation", "Timebase", "Music"], path: "Tests/TestPlans",
            swiftSettings: sharedSettings),
        .target(
            name: "TestCommands", dependencies: ["AudioIO"], path: "Tests/TestCommands", swiftSettings: sharedSettings),
        tests("ArchitectureTests", []),
        tests("RealtimeTests", ["Realtime", "TestSignals", "CAllocationProbe"]),
        tests("MusicTests", ["Music", "TestSignals"]),
        tests(
            "TerminalUITests",
            [
                "TerminalUI", "Rhythm", "Notation", "Timebase", "Music", "Transport", "TestPlans",
                "TestSignals", "CAllocationProbe",
            ]),
        tests(
            "TunerUITests",
            [
                "TunerUI", "TerminalUI", "TakeReports", "Transcription", "Intonation", "Rhythm", "Notation", "Timebase",
                "Music", "TestNotes", "TestPlans",
            ]),
        tests(
            "ConfigurationTests",
            ["Configuration", "TerminalUI", "AudioIO", "Pitch", "Spectral", "Music", argumentParser]),
        tests("DeviceCalibrationTests", ["DeviceCalibration", "AudioIO"]),
        tests("TunerCommandTests", ["TestCommands", "TestSignals", "AudioIO", "Music", "tuner"]),
        tests("VirtualAudioTests", ["TestCommands", "TestSignals", "tuner", "metronome"]),
        tests("SpectralTests", ["Spectral", "TestSignals", "CAllocationProbe"]),
        tests("PitchTests", ["Pitch", "Spectral", "Realtime", "Music", "TestSignals", "CAllocationProbe"]),
        tests("StrumTests", ["Strum", "Realtime", "Music", "TestSignals", "CAllocationProbe"]),
        tests(
            "IntonationTests", ["Intonation", "TunerEngine", "Pitch", "Strum", "Music", "TestNotes", "TestSignals"]),
        tests(
            "TranscriptionTests",
            ["Transcription", "Pitch", "Rhythm", "Music", "TestNotes", "TestSignals", "CAllocationProbe"]),
        tests("TunerEngineTests", ["TunerEngine", "Pitch", "Music", "TestSignals", "CAllocationProbe"]),
        tests(
            "MetronomeCommandTests",
            ["TestCommands", "TestSignals", "AudioIO", "PracticeLog", "Synthesis", "Music", "metronome"]),
        tests("EmbeddingTests", ["EmbeddingC", "CWellTempered", "TestSignals", "CAllocationProbe"]),
        tests("TimebaseTests", ["Timebase", "Notation", "Music", "TestPlans", "TestSignals", bigInt]),
        tests(
            "NotationTests", ["Notation", "Timebase", "Music", "TestPlans", "TestSignals", bigInt],
            resources: [.copy("Fixtures")]),
        tests("ScoreFilesTests", ["ScoreFiles", "Music", "Notation", "Timebase", "TestPlans", "TestSignals"]),
        tests("SynthesisTests", ["Synthesis", "Timebase", "Realtime", "Music", "TestSignals"]),
        tests(
            "RhythmTests",
            ["Rhythm", "Synthesis", "Notation", "Timebase", "Realtime", "Music", "TestSignals", "CAllocationProbe"]),
        tests(
            "MetronomeEngineTests",
            [
                "MetronomeEngine", "Synthesis", "Notation", "Timebase", "Realtime", "Music", "TestPlans", "TestSignals",
                "CAllocationProbe",
            ]),
        .executableTarget(
            name: "stream-probe",
            dependencies: [
                "DeviceCalibration", "ALSABackend", "AudioIO", "PracticeLog", "Rhythm", "Music", "TestSignals",
                argumentParser,
            ],
            path: "Tests/StreamProbe", swiftSettings: sharedSettings),
        // `make soak`.
        .executableTarget(
            name: "soak",
            dependencies: [
                "TunerEngine", "MetronomeEngine", "Intonation", "Rhythm", "Pitch", "Synthesis", "Timebase", "Realtime",
                "Music", "TunerUI", "TerminalUI", "TestSignals", "CAllocationProbe", argumentParser,
            ],
            path: "Tests/Soak", swiftSettings: sharedSettings),
        tests("PlatformTests", ["Platform", "Music"]),
        tests("StandTests", ["Stand", "ScorePages", "Transport", "Platform"] + embedded),
        // A program that decodes pictures, as the music stand calls itself to do.
        .executableTarget(
            name: "page-probe", dependencies: ["ScorePages"], path: "Tests/PageProbe", swiftSettings: sharedSettings),
        tests(
            "ScorePagesTests", ["ScorePages", "TestCommands", "TestSignals", "page-probe"],
            resources: [.copy("Fixtures")]),
        tests("PracticeLogTests", ["PracticeLog", "SQLite", "Music", "TestCommands", "TestSignals", "stream-probe"]),
        tests("AudioIOTests", ["AudioIO", "Music", "TestSignals"]),
        tests(
            "ALSABackendTests",
            [
                "DeviceCalibration", "ALSABackend", "AudioIO", "Music", "TestSignals", "TestCommands",
                "CAllocationProbe", "stream-probe",
            ]),
    ] + (isFuzzing ? fuzzing : [fuzzTests]),
    swiftLanguageModes: [.v6]
)
