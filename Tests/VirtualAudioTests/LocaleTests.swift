import Foundation
import TestCommands
import Testing

/// What programs read is the same under every locale: no decimal comma, no other names.
@Suite struct LocaleTests {
    private let lines: [(command: String, arguments: [String])] = [
        ("tuner", ["--json", "samples/cello-c2.flac", "--duration", "0.5"]),
        ("tuner", ["--csv", "samples/cello-c2.flac", "--duration", "0.5", "--names", "german"]),
        ("tuner", ["analyze", "--json", "samples/ukulele-c4.flac"]),
        ("tuner", ["analyze", "samples/ukulele-c4.flac", "--plot", "/dev/stdout"]),
        (
            "tuner",
            ["--a4", "415.3", "--temperament", "19edo", "--csv", "samples/ukulele-c4.flac", "--duration", "0.5"]
        ),
        ("tuner", ["--a4", "440,5", "--csv", "samples/ukulele-c4.flac", "--duration", "0.5"]),
        ("tuner", ["--list-instruments"]), ("tuner", ["config", "--example"]),
        ("tuner", ["--help-all"]), ("tuner", ["--generate-manual"]),
        ("metronome", ["97.3", "--volume", "-6.5", "--dry-run"]), ("metronome", ["97.3", "--bars", "2", "--csv", "-"]),
        ("metronome", ["97,3", "--dry-run"]), ("metronome", ["80..160.5/8b", "--render", "-", "--bars", "2"]),
        ("metronome", ["--help-all"]), ("metronome", ["--generate-manual"]),
    ]

    @Test func `Under a locale with a decimal comma, under C and under none the output is the same`() throws {
        try withTemporaryFolder { folder in
            // Made here: most machines have no other locale than C.
            let made = try BuiltCommand(shell: ()).run(
                [
                    "-c",
                    "localedef -i de_DE -f UTF-8 '\(folder.path())/de_DE.UTF-8' && localedef -i de_DE -f ISO-8859-1 '"
                        + "\(folder.path())/de_DE'",
                ])
            try #require(made.status == 0, "apt-get install locales: \(made.errors)")
            let german = ["LOCPATH": folder.path(), "LC_ALL": "de_DE.UTF-8", "LANG": "de_DE.UTF-8"]
            let comma = try BuiltCommand(shell: ()).run(["-c", "printf %.1f 1,5"], environment: german)
            #expect(comma.output == "1,5", "the locale is in force")
            let locales = [
                german, german.merging(["LC_ALL": "de_DE", "LANG": "de_DE"]) { $1 }, ["LC_ALL": "C.UTF-8"],
                ["LC_ALL": "no_such.locale"], ["LC_ALL": "", "LC_CTYPE": "", "LC_NUMERIC": "", "LANG": ""],
            ]
            for (command, arguments) in lines {
                let program = BuiltCommand(command)
                let plain = try program.run(arguments, environment: ["LC_ALL": "C"], in: repository)
                #expect(plain.output.count + plain.errors.count > 40, "\(command) \(arguments)")
                for locale in locales {
                    let other = try program.run(arguments, environment: locale, in: repository)
                    #expect(
                        other.output == plain.output && other.errors == plain.errors && other.status == plain.status,
                        "\(command) \(arguments) under \(locale)")
                }
            }
        }
    }
}
