internal import TerminalUI

extension ManualPage.Section {
    /// EXIT STATUS.
    ///
    /// - Parameter inputs: what the program reads, as in `A tempo map, a sound or a settings file`.
    public static func exitStatus(inputs: String) -> ManualPage.Section {
        ManualPage.Section(
            "EXIT STATUS",
            items: [
                ("0", "All went well."), ("2", "The command line makes no sense."),
                ("66", "\(inputs) is missing, or cannot be read."), ("69", "There is no such device."),
                ("71", "The system has no memory or thread left."), ("73", "The output cannot be written."),
                ("75", "The device is busy or was lost."),
                ("130", "Ctrl-C; 128 and its number for any other signal."),
            ])
    }

    /// ENVIRONMENT.
    ///
    /// - Parameters:
    ///   - program: whose variables.
    ///   - examples: of such a variable, as in `TUNER_A4=442`.
    public static func environment(_ program: String, examples: String) -> ManualPage.Section {
        ManualPage.Section(
            "ENVIRONMENT",
            items: [
                (
                    "\(program.uppercased())_OPTION",
                    """
                    Sets the option of that name, as in \(examples). An option goes over the environment, that over \
                    the file, that over the default.
                    """
                ),
                ("NO_COLOR", "Set to anything: no colours."),
                ("LC_ALL, LC_CTYPE, LANG", "Whether the terminal shows UTF-8; numbers do not depend on them."),
            ])
    }

    /// FILES.
    ///
    /// - Parameter tables: where in the settings file the program looks, as in `in the table [metronome]`.
    public static func files(_ tables: String) -> ManualPage.Section {
        ManualPage.Section(
            "FILES",
            items: [
                (
                    "$XDG_CONFIG_HOME/well-tempered/config.toml",
                    """
                    Settings in TOML; where XDG_CONFIG_HOME is not set, in ~/.config. Options by their long names \
                    \(tables).
                    """
                ),
                (
                    "$XDG_STATE_HOME/well-tempered/calibration.json",
                    """
                    What calibrate has measured; where XDG_STATE_HOME is not set, in ~/.local/state. calibrate --show \
                    tells it, calibrate --forget -D device forgets a device.
                    """
                ),
            ])
    }
}
