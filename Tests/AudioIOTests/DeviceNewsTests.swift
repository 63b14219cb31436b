import AudioIO
import Testing

@Suite struct DeviceNewsTests {
    @Test func `A device that goes and comes back is told of once each`() {
        var news = DeviceNews(of: "hw:1")
        let loss = AudioError.lost(device: "hw:1", reason: "no such device")
        #expect(news.next(.running, because: nil) == nil)
        #expect(
            news.next(.lost, because: loss)
                == "the sound device \"hw:1\" is lost (no such device): waiting for it to come back")
        #expect(news.isLost)
        #expect(news.next(.lost, because: loss) == nil)
        #expect(news.next(.running, because: loss) == "the sound device \"hw:1\" is back")
        #expect(!news.isLost && news.next(.running, because: loss) == nil)
        #expect(news.next(.ended, because: loss) == nil)
    }
}
