import AudioIO

/// Where clicks begin in a recording at 48 kHz: the first frame over a hundredth of the loudest after 50 ms below it.
func clickOnsets(_ path: String) throws -> [Int] {
    let samples = try samples(path)
    let threshold = (samples.map(abs).max() ?? 0) / 100
    let quietFrames = 2_400
    var onsets: [Int] = []
    var lastLoud = -quietFrames
    for (frame, sample) in samples.enumerated() where abs(sample) > threshold {
        if frame - lastLoud >= quietFrames { onsets.append(frame) }
        lastLoud = frame
    }
    return onsets
}

/// All samples of a sound file.
func samples(_ path: String) throws -> [Float] {
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
