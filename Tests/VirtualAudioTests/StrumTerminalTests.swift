import Foundation
import TestCommands
import Testing

/// Strums in a real terminal emulator (tmux) on the test card, which hears the strum of the samples once, then silence.
@Suite struct StrumTerminalTests {
    /// Runs a script and expects that nothing in it failed, and how many things were looked for.
    private func expectAll(
        _ count: Int, _ script: String, _ location: SourceLocation = #_sourceLocation
    ) throws {
        let samples = repository.appending(path: "samples").path()
        let outcome = try TestCardTerminal.run(
            """
            samples='\(samples)'
            sox "$samples/strum.flac" -r 48000 -c 2 -t f32 in.raw pad 0 60
            \(script)
            """)
        let good = outcome.lines.count { $0.hasPrefix("ok ") }
        #expect(
            good == count && outcome.status == 0 && !outcome.output.contains("FAILED"),
            "\(good) of \(count)\n\(outcome.output)\(outcome.errors)", sourceLocation: location)
    }

    @Test func `A strum brings all strings side by side, at 40, 80 and 200 columns, with and without UTF-8`() throws {
        try expectAll(
            14,
            """
            for size in '40 12' '80 24' '200 50'; do
                set -- $size
                start $1 $2 'LANG=C.UTF-8' tuner -i guitar; expect "$1x$2 words" 'sharp'; expect "$1x$2 key" 'p strums'
                press q 'status 0'; away
            done
            start 80 24 'LC_ALL=C NO_COLOR=1' tuner -i guitar; expect 'ASCII cents' '-12[.]0'
            if screen | LC_ALL=C grep -q '[^ -~]'; then echo 'FAILED: more than ASCII'; fi
            press q 'status 0'; away
            start 130 5 'LC_ALL=C' tuner -i guitar; expect 'line' '3:G3 -12[.]0 flat'
            press q 'status 0'; away
            start 130 24 'LC_ALL=C' tuner --line -i guitar
            """ + "\n" + "expect 'asked for one line' '5:A2 [+]0[.]4 in tune'; away")
    }

    @Test func `A single string after the strum brings the note back, and the ticks stay`() throws {
        try expectAll(
            4,
            """
            sox "$samples/strum.flac" "$samples/guitar-d3.flac" -r 48000 -c 2 -t f32 in.raw pad 0 60
            start 100 24 LC_ALL=C.UTF-8 tuner -i guitar
            expect 'ticks in the strings of the note' '6:E2  5:A2✓ 4:D3. 3:G3  2:B3✓ 1:E4✓'
            press q 'status 0'; ended q 0
            """)
    }

    @Test func `The key p and --strum choose, without an instrument it is a guitar`() throws {
        try expectAll(
            10,
            """
            start 120 24 LC_ALL=C tuner --strum; expect guitar 'guitar: standard'; expect heard 'tune down: D3'
            press p 'strums: single'; expect single 't tone'; press p 'strums: auto'; press p 'strums: strum'
            press '?' 'p  .*all strings after a strum'; press q 'status 0'; ended q 0
            """)
    }

    @Test func `In a pipe each strum is a line for each string`() throws {
        let samples = repository.appending(path: "samples").path()
        let outcome = try TestCardTerminal.run(
            """
            sox "\(samples)/strum.flac" -r 48000 -c 2 -t f32 in.raw pad 0 60
            "$BIN/tuner" --strum --for 3s; echo "status $?"
            "$BIN/tuner" --strum --csv --for 1s; echo "status $?"
            "$BIN/tuner" --strum -i piano --for 1s; echo "status $?"
            """)
        // The second run ends within the strum and prints what it has.
        let lines = outcome.lines
        #expect(lines.count == 6 + 1 + 7 + 1 + 1, "\(outcome.output)\(outcome.errors)")
        #expect(lines.prefix(6).last?.contains(#/ 1 E4 .* in tune$/#) == true, "\(outcome.output)")
        #expect(lines.filter { $0.hasPrefix("status") } == ["status 0", "status 0", "status 2"])
        #expect(outcome.errors.contains("choose an instrument of 2 to 12 strings"), "\(outcome.errors)")
    }
}
