import ArgumentParser

@main struct Bench: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Measures the toolkit; what it prints is what RESULTS.md is made of.",
        subcommands: [
            RealNotesBesideRivals.self, AccuracyBesideRivals.self, LockTimes.self, Costs.self, HopTimes.self,
            ClickTimes.self, LiveLatency.self,
            Keep.self,
            Report.self, Check.self, Region.self,
        ])
}
