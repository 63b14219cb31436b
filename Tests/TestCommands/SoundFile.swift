internal import AudioIO

/// All samples of a sound file, as one channel.
public func samples(of path: String) throws -> [Float] {
    var reader = try AudioFileReader(path: path)
    var samples: [Float] = []
    var block = [Float](repeating: 0, count: 65_536)
    while true {
        var span = block.mutableSpan
        let read = try reader.read(into: &span)
        if read.isEnd { return samples }
        samples += block.prefix(read.count)
    }
}
