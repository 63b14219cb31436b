import Notation
import TestPlans
import Testing
import Timebase

@Suite struct BeatPlaceTests {
    @Test func `The tempo is told in the note that the plan counts, and a beat lasts as long as it plays`() throws {
        let plans: [(plan: PracticePlan, tempo: Double, seconds: Double)] = [
            (try plan("140") { $0.meter = try Meter(parsing: "7/8") }, 140, 60.0 / 140),
            (try plan("4=140") { $0.meter = try Meter(parsing: "7/8") }, 140, 30.0 / 140),
            (try plan("8.=96") { $0.meter = .common }, 96, 60.0 / 96 * 4 / 3), (try plan("8.=96"), 96, 60.0 / 96),
            (try PracticePlan(tempoMap: "2 7/8 140", file: "klick"), 140, 30.0 / 140),
        ]
        for (plan, tempo, seconds) in plans {
            let beats = try beats(of: plan, limit: 2)
            let place = try PlanGrid(plan).place(of: beats[0])
            #expect(beats[0].tempo == tempo && place.tempo == tempo && place.exactTempo.value == tempo)
            #expect(abs(place.beatSeconds - seconds) < 1e-12)
            #expect(abs(Double(beats[1].floorFrame) + beats[1].fraction - 48_000 * seconds) < 1e-6)
        }
    }

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
            try PracticePlan(tempoMap: map, file: "song"),
        ]
        for plan in plans {
            let grid = try PlanGrid(plan)
            let beats = try beats(of: plan, limit: 80)
            #expect(beats.count > 30)
            for beat in beats {
                let place = grid.place(of: beat)
                // The fraction carries millionths where the tempo moves.
                #expect(place.tempo == beat.tempo && abs(place.exactTempo.value - beat.tempo) < 0.000_000_6)
            }
            for (beat, next) in zip(beats, beats.dropFirst()) {
                let (begin, end) = (Double(beat.floorFrame) + beat.fraction, Double(next.floorFrame) + next.fraction)
                // An instant in a ramp has 2⁻⁴⁰ of a frame, and a double of 10⁷ frames 2⁻²⁹.
                #expect(abs(grid.place(of: beat).beatSeconds * 48_000 - (end - begin)) < 1e-6, "bar \(beat.bar)")
            }
        }
    }

    @Test func `Muted beats are those that the scheduler mutes`() throws {
        for spelling in ["3:1", "2:2..1:3"] {
            let plan = try plan("120") {
                $0.gap = try GapPlan(parsing: spelling)
                $0.mutes = try RandomMute(parsing: "20", seed: 7)
            }
            let grid = try PlanGrid(plan)
            let beats = try beats(of: plan, limit: 200)
            for beat in beats {
                #expect(
                    grid.isMuted(bar: beat.bar, beat: beat.beat) == beat.isMuted,
                    "\(spelling) bar \(beat.bar) beat \(beat.beat)")
            }
            #expect(beats.contains { $0.isMuted } && beats.contains { !$0.isMuted })
        }
    }

    @Test func `Sections, gaps, ramps and steps tell how far they have come`() throws {
        let song = try PracticePlan(tempoMap: "a: 2 120\nb: 4 3/4 100-140\n", file: "song")
        let places = try beats(of: song, limit: 100).map { try PlanGrid(song).place(of: $0) }
        #expect(try PlanGrid(song).barCount == 6)
        #expect(places[7].label == "a" && places[7].bar == 2 && places[7].bars == 2 && places[7].ramp == nil)
        #expect(places[8].label == "b" && places[8].bar == 1 && places[8].ramp?.share == 0)
        #expect(places[14].ramp?.from == 100 && places[14].ramp?.to == 140 && places[14].ramp?.share == 0.5)
        let gapped = try plan("120") { $0.gap = try GapPlan(parsing: "3:1") }
        let gaps = try beats(of: gapped, limit: 32).map { try PlanGrid(gapped).place(of: $0).gap }
        #expect(gaps[0]?.isMuted == false && gaps[0]?.bars == 3)
        #expect(gaps[12]?.isMuted == true && gaps[12]?.bars == 1)
        #expect(try PlanGrid(gapped).barCount == nil)
        let trainer = try plan("100") { $0.steps = try TempoSteps(parsing: "+5/2b..110") }
        let steps = try beats(of: trainer, limit: 40).map { try PlanGrid(trainer).place(of: $0).nextStep }
        #expect(steps[0]?.tempo == 105 && steps[0]?.beats == 8)
        #expect(steps[15]?.tempo == 110 && steps[15]?.beats == 1)
        #expect(steps[16] == nil)
    }

    @Test func `A count-in is told by its section, and shows the tempo and the label of the bar that it leads to`()
        throws
    {
        var song = try PracticePlan(tempoMap: "a: 2 120\nb: 4 3/4 100-140\nc: 2 97.3\n", file: "song")
        song.countIn = .bars(1)
        for (entry, label, tempo) in [(Int64?.none, "a", 120.0), (3, "b", 100), (5, "b", 120), (7, "c", 97.3)] {
            song.entryBar = entry
            // Beats begin with bar 1 here: the scheduler's own count-in is before that, whatever comes after.
            var event = try beats(of: song, limit: 1)[0]
            (event.section, event.bar) = (-1, 0)
            let place = try PlanGrid(song).place(of: event)
            #expect(place.isCountIn && place.bar == 0 && place.label == label && place.ramp == nil)
            #expect(abs(place.tempo - tempo) < 0.000_6, "\(label): \(place.tempo)")
            #expect(try abs(PlanGrid(song).place(of: .none).tempo - tempo) < 0.000_6)
        }
        song.entryBar = nil
        let counted = try beats(of: song, limit: 5).map { try PlanGrid(song).place(of: $0) }
        #expect(counted.map(\.isCountIn) == [true, true, true, true, false])
    }
}
