import ALSABackend
import AudioIO
import Testing

@Suite struct SoundDevicesTests {
    init() throws { _ = try TestCard.shared() }

    @Test func `The devices are listed with names for people`() throws {
        let card = try #require(SoundDevices.all(.playback).first { $0.name == "default" })
        #expect(card.summary == "Test card" && card.description == "default  Test card")
        #expect(SoundDevices.all(.capture).contains(card), "it works in both directions")
    }

    @Test func `Listing the cards of a machine without any gives none`() {
        let (heard, played) = (SoundDevices.cards(.capture), SoundDevices.cards(.playback))
        for card in heard + played { #expect(card.name.hasPrefix("hw:CARD=")) }
    }
}
