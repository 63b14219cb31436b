internal import ArgumentParser
internal import Configuration

extension MusicStandProgram {
    /// The manual page; the options come from the parser.
    static var manual: ManualPage {
        ManualPage(
            name: "musicstand", summary: "show scores on tablets and phones, in step with the metronome",
            date: "November 23, 2026",
            synopsis: ["[options] scores [all that metronome takes]", "config [--example]"],
            description: [
                """
                musicstand plays as metronome does, with the same arguments, keys and devices, and serves one page to \
                browsers. The page shows a score of the folder, and moves with the beat that is heard: it knows the \
                clock of this machine to about a millisecond, and the moments of the beats to come.
                """,
                """
                Any device starts, stops, taps, changes the tempo and jumps. What a player writes on a page all \
                devices show. Without network a page goes on by itself, and sends what was written, and which bars \
                were corrected, when it is back.
                """,
            ],
            examples: [
                ("musicstand scores/ 120 --accent 4", "Scores beside four beats in a bar, on this machine:"),
                ("musicstand scores/ song.map --count-in 2 --lan", "A tempo map, for all devices on the network:"),
                ("musicstand scores/ --setlist gig.txt --lan", "A set list: each entry opens the score of its name:"),
            ],
            commands: subcommands.map { ($0 == MusicStandCommand.self ? "" : $0._commandName, $0) },
            sections: [
                ManualPage.Section(
                    "NETWORK",
                    paragraphs: [
                        """
                        Only browsers on this machine can connect, unless --lan is given. Then a device needs the key \
                        in the address that the terminal shows, also as a code to scan: 128 random bits, new at each \
                        start unless --keep-token is given, or the run goes on after a crash. The code goes when a device has come; c brings it back. A \
                        browser keeps the key as a cookie. After ten wrong keys in a minute an address is let in by the \
                        right one only.
                        """,
                        """
                        The connection is not encrypted: whoever can read the traffic of the network reads the key. \
                        Over plain HTTP some browsers keep no screen awake. There is no \
                        path to any file but the pictures of the scores in the folder. Nothing leaves the local \
                        network.
                        """,
                        """
                        A musicstand that was built with TLS (make TLS=1) encrypts with --tls-certificate and --tls-key. A \
                        browser warns once of a certificate that nobody vouches for, and has to be told to go on:
                        """,
                        """
                        openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -days 365 -subj /CN=musicstand \
                        -addext subjectAltName=DNS:localhost,IP:192.168.1.20 -out stand.crt -keyout stand.key
                        """,
                    ]),
                ManualPage.Section(
                    "ORDER OF PLAYING",
                    paragraphs: [
                        """
                        Where a tempo map repeats bars or jumps, the page does too: the map's first bar is the first of the \
                        score. The score of the map's name, or of the entry's, opens by itself, and the order is its own; \
                        without a score of that name the order is that of any which is open. Without repeats in the map \
                        the order is MuseScore's, from a .mpos file beside the PDF, or one that is typed on the page, \
                        under Bars: 1-8 1-7 9-16.
                        """
                    ]),
                ManualPage.Section(
                    "SET LISTS",
                    paragraphs: [
                        """
                        Under Scores the page makes set lists: scores in an order of one's own, each with a tempo or without. \
                        A song that is chosen opens on all devices, and sets the tempo. A list of --setlist is shown \
                        beside them, and changed in its file; an entry without a score shows none. What is put into the \
                        folder meanwhile is there when Scores is opened. A large folder is read while the page shows.
                        """
                    ]),
                ManualPage.Section(
                    "END",
                    paragraphs: [
                        """
                        At the end of a plan the metronome stops and the page stays; space, or a device, starts \
                        again. If the sound device is away by then, the program ends with status 75. q and Ctrl-C end it.
                        """
                    ]),
                .files("in the table [musicstand]", calibrator: "metronome "),
                ManualPage.Section(
                    "STORE",
                    paragraphs: [
                        """
                        $XDG_DATA_HOME/well-tempered/stand.sqlite keeps where the bars lie, what was written, set lists, \
                        the sliders of the devices, and what each file of a score is, so that a folder is read once: never a \
                        score. A score that was renamed is found again by its content. It also keeps the bar, the tempo and \
                        the entry of the set list: started again within half a minute after a crash, musicstand goes on \
                        there, or stands still if it stood still.
                        """
                    ]),
                .environment("musicstand", examples: "MUSICSTAND_PORT=8000 or MUSICSTAND_LAN=1"),
                .exitStatus(
                    inputs: "The folder, a tempo map, a sound or a settings file",
                    busy: "The device is busy or was lost, or another program listens on the port."),
                ManualPage.Section("SEE ALSO", paragraphs: ["metronome(1), pdftocairo(1)"]),
            ])
    }
}
