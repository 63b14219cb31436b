// swift-tools-version: 6.2
import PackageDescription

// The importing package, made by Tests/Rigs/importer.sh beside a tagged clone.
let traits: Set<Package.Dependency.Trait> = Context.environment["IMPORTER_FFTW"] == "on" ? ["FFTW"] : [.defaults]
// Written in by the script. Not read from the folder: SwiftPM keeps what a manifest gave as long as its text is the same.
let names = ["Importer"]
let apps: [String] = []

let package = Package(
    name: "app",
    dependencies: [
        .package(url: "file://\(Context.packageDirectory)/../well-tempered", from: "0.1.0", traits: traits),
        // What many apps have already: target names must be unique in the whole graph, so ours must not be its.
        .package(url: "https://github.com/apple/swift-system", from: "1.6.0"),
    ],
    targets: names.map { name in
        .executableTarget(
            name: name,
            dependencies: [
                .product(name: "WellTempered", package: "well-tempered"),
                .product(name: "SystemPackage", package: "swift-system"),
            ])
    }
        + apps.map { name in
            .executableTarget(
                name: name,
                dependencies: [
                    .product(name: "WellTempered", package: "well-tempered"),
                    .product(name: "WellTemperedAudio", package: "well-tempered"),
                ])
        },
    swiftLanguageModes: [.v6]
)
