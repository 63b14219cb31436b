// swift-tools-version: 6.2
import Foundation
import PackageDescription

// A stranger's package, made by Tests/Rigs/importer.sh beside a tagged clone.
let traits: Set<Package.Dependency.Trait> = Context.environment["IMPORTER_FFTW"] == "off" ? [] : [.defaults]
let sources = URL(filePath: Context.packageDirectory).appending(path: "Sources")
let names = try FileManager.default.contentsOfDirectory(atPath: sources.path()).filter { !$0.hasPrefix(".") }.sorted()

let package = Package(
    name: "app",
    dependencies: [
        .package(url: "file://\(Context.packageDirectory)/../well-tempered", from: "0.1.0", traits: traits)
    ],
    targets: names.map { name in
        .executableTarget(
            name: name, dependencies: [.product(name: "WellTempered", package: "well-tempered")])
    },
    swiftLanguageModes: [.v6]
)
