internal import TerminalUI
extension MetronomeCommand {
    func play(_ plan: Plan) throws -> Int32 { throw CommandError("x", exitStatus: 69) }
    func listDevices(names: Bool) throws -> Int32 { throw CommandError("x", exitStatus: 69) }
}
