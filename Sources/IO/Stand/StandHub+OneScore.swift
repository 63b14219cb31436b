internal import NIOCore
internal import ScorePages

/// One score: its bars, and its pictures.
extension StandHub {
    /// Sends a score to a device, and sends it again as its bars are found.
    func open(_ score: String, on device: LiveDevice) {
        device.score = score
        device.opening.run { [self] done in
            read(score) { [self] result in
                switch result {
                case .success(let text?):
                    if device.score == score { device.tell(.score, text) }
                    resumeSearch(of: score)
                case .success(nil):
                    device.fail(
                        RefusedMessage(problem: "there is no such score any more", remedy: "choose another one"))
                case .failure(let error): device.fail(error)
                }
                done()
            }
        }
    }

    /// The newest message of a score, which is read once for all who want it; `nil` if there is no such score.
    private func read(_ score: String, then use: @escaping (Result<ByteBuffer?, any Error>) -> Void) {
        if let text = texts.known[score] { return use(.success(text)) }
        let isReading = texts.waiting[score] != nil
        texts.waiting[score, default: []].append((texts.changes[score, default: 0], use))
        if !isReading { read(score) }
    }

    private func read(_ score: String) {
        let (shelf, change) = (shelf, texts.changes[score, default: 0])
        work { try shelf.score(score).map { ServerMessage.text($0) } }.assumeIsolated().whenComplete { [self] result in
            if texts.changes[score, default: 0] == change, case .success(let text?) = result {
                let shown = Set(devices.values.compactMap(\.score))
                texts.known = texts.known.filter { shown.contains($0.key) }
                texts.known[score] = text
            }
            // Those who have asked since a change wait for what it is after that.
            let waiting = texts.waiting.removeValue(forKey: score) ?? []
            let later = waiting.filter { $0.change > change }
            if !later.isEmpty {
                texts.waiting[score] = later
                read(score)
            }
            for one in waiting where one.change <= change { one.use(result) }
        }
    }

    /// Tells those who look at a score what it is now. Changes that come soon after are told together.
    private func tell(_ score: String) {
        texts.changes[score, default: 0] += 1
        texts.known[score] = nil
        let pace = texts.paces[score] ?? Pace(loop, ScoreTexts.step)
        texts.paces[score] = pace
        pace.run { [self] done in
            read(score) { [self] result in
                if case .success(let text?) = result {
                    for device in devices.values where device.score == score { device.tell(.score, text) }
                }
                done()
            }
        }
    }

    /// Finds the bars of the pages that nobody has looked at yet, one after the other.
    private func resumeSearch(of score: String) {
        guard searched.insert(score).inserted else { return }
        let shelf = shelf
        func find(_ index: Int, of pages: [Int]) {
            // After 1, 2, 4, 8 and so on: a player waits for the first page, and a long score is not read for each.
            if index > 0, index & (index - 1) == 0 || index == pages.count { tell(score) }
            guard index < pages.count else { return }
            // A page whose bars cannot be found is marked by hand.
            let page = pages[index]
            draw { try? shelf.findBars(ofPage: page, of: score) }.assumeIsolated().whenComplete { [self] result in
                // Whoever opens it when its file is there again has the others looked at then.
                if case .success(false?) = result {
                    searched.remove(score)
                    tell(score)
                } else {
                    find(index + 1, of: pages)
                }
            }
        }
        work { try shelf.unseenPages(of: score) }.assumeIsolated().whenComplete { [self] result in
            switch result {
            case .success(let pages): find(0, of: pages)
            case .failure: searched.remove(score)
            }
        }
    }

    /// Keeps the bars of a page as a player corrected them, and tells everyone.
    func take(_ bars: PageBars, from device: LiveDevice) {
        let store = store
        device.work(settling: bars.id) {
            guard try store.keep(bars) else {
                throw RefusedMessage(
                    problem: "page \(bars.page) was not kept: there is no such page, or the score has too many bars",
                    remedy: "reload the page")
            }
        } then: { [self] in
            tell(bars.score)
        }
    }

    func take(_ order: DeviceMessage.Order, from device: LiveDevice) {
        let store = store
        device.work(settling: order.id) {
            try store.keep(order: order.text, firstBar: order.first, of: order.score)
        } then: { [self] in
            tell(order.score)
        }
    }

    /// Draws a page, or finds it drawn.
    func picture(of request: PageRequest) -> EventLoopFuture<PictureFile?> {
        let shelf = shelf
        return fetch { try shelf.drawnPicture(of: request) }.assumeIsolated().flatMap { [self] picture in
            picture.map { loop.makeSucceededFuture($0) } ?? draw { try shelf.picture(of: request) }
        }.nonisolated()
    }
}

/// What scores are told as, so that each is read once for all who want it.
struct ScoreTexts {
    /// How long it is at least from one telling to the next, to everyone, and to a device that asks: nobody sees more, and a
    /// long score is half a megabyte.
    static let step: TimeAmount = .milliseconds(100)

    /// The messages of scores that a device shows, as they are now.
    var known: [String: ByteBuffer] = [:]
    /// Those who wait for a message that is being read, with the changes that it has to hold.
    var waiting: [String: [(change: Int, use: (Result<ByteBuffer?, any Error>) -> Void)]] = [:]
    /// How often a score has changed.
    var changes: [String: Int] = [:]
    /// When scores are told again.
    var paces: [String: Pace] = [:]
}
