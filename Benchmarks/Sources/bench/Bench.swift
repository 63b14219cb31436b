import ArgumentParser

@main struct Bench: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Measures the toolkit; what it prints is what RESULTS.md is made of.",
        subcommands: [Check.self, Region.self])
}
