extension ManualPage.Section {
    /// EXIT STATUS of a program that reads `inputs`, such as `A tempo map, a sound or a settings file`.
    package static func exitStatus(inputs: String) -> ManualPage.Section {
        ManualPage.Section(
            "EXIT STATUS",
            items: [
                ("0", "Success."), ("2", "The command line is wrong."),
                ("66", "\(inputs) is missing or cannot be read."), ("69", "There is no such device."),
                ("71", "The system has no memory, thread or descriptor left."), ("73", "The output cannot be written."),
                ("75", "The device is busy or was lost."),
                ("130", "Ctrl-C; 128 and its number for any other signal."),
            ])
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
                    "Tell whether the terminal shows UTF-8. The format of numbers does not depend on them."
                ),
            ])
    }

    /// FILES. The program's settings are in `tables`, such as `in the table [metronome]`.
    package static func files(_ tables: String) -> ManualPage.Section {
        ManualPage.Section(
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
                    The measurements of calibrate. calibrate --show prints them, calibrate --forget -D device removes \
                    those of a device. If XDG_STATE_HOME is not set, the file is in ~/.local/state.
                    """
                ),
            ])
    }
}
