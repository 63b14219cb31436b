import AudioIO
import DeviceCalibration
import Testing

/// A report of a stream in this state.
private func report(_ state: StreamState, reopenings: Int = 0) -> StreamReport {
    var report = StreamReport(framesPerSecond: 48_000)
    report.state = state
    report.statistics.reopenings = reopenings
    return report
}

@Suite struct DeviceNewsTests {
    @Test func `A device that goes and comes back is reported once each`() {
        var news = DeviceNews(of: "hw:1")
        let loss = AudioError.lost(device: "hw:1", reason: "no such device")
        #expect(news.next(report(.running), because: nil) == nil)
        #expect(
            news.next(report(.lost), because: loss)
                == "the sound device \"hw:1\" is lost (no such device): waiting for it to come back")
        #expect(news.isLost)
        #expect(news.next(report(.lost), because: loss) == nil)
        #expect(news.next(report(.running, reopenings: 1), because: loss) == "the sound device \"hw:1\" is back")
        #expect(!news.isLost && news.next(report(.running, reopenings: 1), because: loss) == nil)
        #expect(news.next(report(.ended, reopenings: 1), because: loss) == nil)
    }

    /// A terminal that was stalled for a second has not seen the state in between.
    @Test func `A device that came back before the first look is reported, too`() {
        var news = DeviceNews(of: "hw:1")
        let loss = AudioError.lost(device: "hw:1", reason: "it was disconnected")
        #expect(news.next(report(.running), because: nil) == nil)
        for reopenings in [1, 3] {
            let now = report(.running, reopenings: reopenings)
            #expect(
                news.next(now, because: loss)
                    == "the sound device \"hw:1\" is lost (it was disconnected): waiting for it to come back")
            #expect(news.next(now, because: loss) == "the sound device \"hw:1\" is back")
            #expect(news.next(now, because: loss) == nil)
        }
        // Back and lost again: one report.
        let again = report(.lost, reopenings: 4)
        #expect(news.next(again, because: loss) != nil && news.isLost && news.next(again, because: loss) == nil)
    }
}
