internal import Glibc

extension ManualPage.Section {
    /// EXIT STATUS of a program that reads `inputs`, such as `A tempo map, a sound or a settings file`.
    package static func exitStatus(
        inputs: String, busy: String = "The device is busy or was lost."
    ) -> ManualPage.Section {
        let meanings = [
            (ExitStatus.ok, "Success."), (ExitStatus.usage, "The command line is wrong."),
            (ExitStatus.noInput, "\(inputs) is missing or cannot be read."),
            (ExitStatus.noDevice, "There is no such device, or it cannot do what was asked."),
            (ExitStatus.noResource, "The system has no memory, thread or descriptor left."),
            (ExitStatus.cannotWrite, "The output cannot be written."),
            (ExitStatus.deviceLost, busy),
            (ExitStatus.ended(by: SIGINT), "Ctrl-C. Any other signal: \(ExitStatus.ended(by: 0)) plus its number."),
        ]
        return ManualPage.Section("EXIT STATUS", items: meanings.map { ("\($0.0)", $0.1) })
    }

    /// ENVIRONMENT, with examples of the program's variables, such as `TUNER_A4=442`.
    package static func environment(_ program: String, examples: String) -> ManualPage.Section {
        ManualPage.Section(
            "ENVIRONMENT",
            items: [
                (
                    "\(program.uppercased())_OPTION",
                    """
                    Sets the option of that name, as in \(examples). Precedence: option, environment, settings file, \
                    default.
                    """
                ),
                ("NO_COLOR", "If set, no colors are used."),
                (
                    "LC_ALL, LC_CTYPE, LANG",
                    "Determine whether the terminal shows UTF-8. They do not affect the format of numbers."
                ),
            ])
    }

    /// FILES. The program's settings are in `tables`, such as `in the table [metronome]`.
    package static func files(_ tables: String, calibrator: String = "") -> ManualPage.Section {
        let calibrate = calibrator + "calibrate"
        return ManualPage.Section(
            "FILES",
            items: [
                (
                    "$XDG_CONFIG_HOME/well-tempered/config.toml",
                    """
                    Settings in TOML: options by their long names \(tables). If XDG_CONFIG_HOME is not set, the file is \
                    in ~/.config.
                    """
                ),
                (
                    "$XDG_STATE_HOME/well-tempered/calibration.json",
                    """
                    The results of \(calibrate). \(calibrate) --show prints them; \(calibrate) --forget -D device removes \
                    those of one device. If XDG_STATE_HOME is not set, the file is in ~/.local/state.
                    """
                ),
                (
                    "$XDG_DATA_HOME/well-tempered/practice.sqlite",
                    """
                    The practice log, an SQLite database: the table session has a row for each session. If XDG_DATA_HOME \
                    is not set, the file is in ~/.local/share.
                    """
                ),
            ])
    }
}
