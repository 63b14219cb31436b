import ArgumentParser

/// Sets limits by name, such as `gain=2`.
public func set<Limits, Value: LosslessStringConvertible>(
    _ settings: [String], in limits: inout Limits,
    named: [(name: String, path: any WritableKeyPath<Limits, Value> & Sendable)]
) throws {
    for setting in settings {
        let parts = setting.split(separator: "=").map(String.init)
        guard parts.count == 2, let value = Value(parts[1]),
            let path = named.first(where: { $0.name == parts[0] })?.path
        else {
            let names = named.map(\.name).joined(separator: ", ")
            throw ValidationError("no such limit: \(setting); there are \(names)")
        }
        limits[keyPath: path] = value
    }
}
