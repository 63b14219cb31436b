import TestCommands

/// Where clicks begin in a recording at 48 kHz: the first frame over a hundredth of the loudest after 50 ms below it.
func clickOnsets(_ path: String) throws -> [Int] {
    let samples = try samples(of: path)
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
