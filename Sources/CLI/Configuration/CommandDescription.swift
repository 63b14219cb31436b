internal import ArgumentParser
internal import FoundationEssentials

/// The parser's own description of a command or an option group, which its tools use too.
struct CommandDescription: Decodable {
    let abstract: String?
    let arguments: [Argument]?

    struct Argument: Decodable {
        let kind: String
        let shouldDisplay: Bool
        let sectionTitle: String?
        let names: [Name]?
        let valueName: String?
        let abstract: String?
        let defaultValue: String?
        /// The values of an option that has few.
        let allValues: [String]?

        var isFlag: Bool { kind == "flag" }
        var isPositional: Bool { kind == "positional" }

        /// The first name of a kind, `long` or `short`.
        func name(_ kind: String) -> String? { names?.first { $0.kind == kind }?.name }
    }

    struct Name: Decodable {
        let kind: String
        let name: String
    }

    private struct Tool: Decodable { let command: CommandDescription }

    /// The arguments of a command, in the order of its help.
    init?(of type: any ParsableArguments.Type) {
        guard let tool = try? JSONDecoder().decode(Tool.self, from: Data(type._dumpHelp().utf8)) else { return nil }
        self = tool.command
    }
}
