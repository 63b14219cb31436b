import ArgumentParser

/// Sets limits by name, such as `gain=2`.
public func set<Limits, Value: LosslessStringConvertible>(
    _ settings: [String], in limits: inout Limits,
    named: [(name: String, path: any WritableKeyPath<Limits, Value> & Sendable)]
) throws {
    for setting in settings {
        let parts = setting.split(separator: "=").map(String.init)
        guard let name = parts.first, let path = named.first(where: { $0.name == name })?.path else {
            let names = named.map(\.name).joined(separator: ", ")
            throw ValidationError("no such limit: \(setting); there are \(names)")
        }
        guard parts.count == 2, let value = Value(parts[1]), isFinite(value) else {
            throw ValidationError("not a value of \(name): \(setting); write \(name)=\(limits[keyPath: path])")
        }
        limits[keyPath: path] = value
    }
}

private func isFinite(_ value: some Any) -> Bool { (value as? any FloatingPoint)?.isFinite ?? true }
