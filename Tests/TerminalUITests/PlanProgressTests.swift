import Notation
import TerminalUI
import TestPlans
import Testing
import Timebase

@Suite struct PlanProgressTests {
    @Test func `The tempo of each beat is that of the scheduler, in ramps, steps and sections`() throws {
        let map = """
            intro: 2 120 Xxx.
            verse: 4 3/4 100-140
            chorus: 3 7/8 160.5 X.x.xxx
            1 4/4 100,110,120,130
            """
        let plans = [
            try plan("97.3"), try plan("80..160/8b"), try plan("80..160/8b:exp"), try plan("60..90..60/5b:time"),
            try plan("100") { $0.steps = try TempoSteps(parsing: "+5/2b..130") },
            try TempoMap(parsing: map, file: "song").plan,
        ]
        for plan in plans {
            let progress = PlanProgress(plan)
            let beats = try beats(of: plan, limit: 80)
            #expect(beats.count > 30)
            for beat in beats {
                // The place carries thousandths where the tempo moves.
                #expect(abs(progress.place(of: beat).tempo.value - beat.tempo) < 0.000_6, "bar \(beat.bar)")
            }
        }
    }

    @Test func `Muted beats are those that the scheduler mutes`() throws {
        for spelling in ["3:1", "2:2..1:3"] {
            let plan = try plan("120") {
                $0.gap = try GapPlan(parsing: spelling)
                $0.mutes = try RandomMute(parsing: "20", seed: 7)
            }
            let progress = PlanProgress(plan)
            let beats = try beats(of: plan, limit: 200)
            for beat in beats {
                #expect(
                    progress.isMuted(bar: beat.bar, beat: beat.beat, section: beat.section) == beat.isMuted,
                    "\(spelling) bar \(beat.bar) beat \(beat.beat)")
            }
            #expect(beats.contains { $0.isMuted } && beats.contains { !$0.isMuted })
        }
    }

    @Test func `Sections, gaps, ramps and steps tell how far they have come`() throws {
        let song = try TempoMap(parsing: "a: 2 120\nb: 4 3/4 100-140\n", file: "song").plan
        let places = try beats(of: song, limit: 100).map { PlanProgress(song).place(of: $0) }
        #expect(PlanProgress(song).barCount == 6)
        #expect(places[7].label == "a" && places[7].bar == 2 && places[7].bars == 2 && places[7].ramp == nil)
        #expect(places[8].label == "b" && places[8].bar == 1 && places[8].ramp?.share == 0)
        #expect(places[14].ramp?.from == 100 && places[14].ramp?.to == 140 && places[14].ramp?.share == 0.5)
        let gapped = try plan("120") { $0.gap = try GapPlan(parsing: "3:1") }
        let gaps = try beats(of: gapped, limit: 32).map { PlanProgress(gapped).place(of: $0).gap }
        #expect(gaps[0]?.isMuted == false && gaps[0]?.bars == 3)
        #expect(gaps[12]?.isMuted == true && gaps[12]?.bars == 1)
        #expect(PlanProgress(gapped).barCount == nil)
        let trainer = try plan("100") { $0.steps = try TempoSteps(parsing: "+5/2b..110") }
        let steps = try beats(of: trainer, limit: 40).map { PlanProgress(trainer).place(of: $0).nextStep }
        #expect(steps[0]?.tempo == 105 && steps[0]?.beats == 8)
        #expect(steps[15]?.tempo == 110 && steps[15]?.beats == 1)
        #expect(steps[16] == nil)
    }

    @Test func `A count-in is told by its section, and shows the tempo and the label of the bar that it leads to`()
        throws
    {
        var song = try TempoMap(parsing: "a: 2 120\nb: 4 3/4 100-140\nc: 2 97.3\n", file: "song").plan
        song.countIn = .bars(1)
        for (entry, label, tempo) in [(Int64?.none, "a", 120.0), (3, "b", 100), (5, "b", 120), (7, "c", 97.3)] {
            song.entryBar = entry
            // Beats begin with bar 1 here: the scheduler's own count-in is before that, whatever comes after.
            var event = try beats(of: song, limit: 1)[0]
            (event.section, event.bar) = (-1, 0)
            let place = PlanProgress(song).place(of: event)
            #expect(place.isCountIn && place.bar == 0 && place.label == label && place.ramp == nil)
            #expect(abs(place.tempo.value - tempo) < 0.000_6, "\(label): \(place.tempo)")
            #expect(abs(PlanProgress(song).place(of: .none).tempo.value - tempo) < 0.000_6)
        }
        song.entryBar = nil
        let counted = try beats(of: song, limit: 5).map { PlanProgress(song).place(of: $0) }
        #expect(counted.map(\.isCountIn) == [true, true, true, true, false])
    }
}
