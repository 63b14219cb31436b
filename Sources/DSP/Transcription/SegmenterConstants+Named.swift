@_spi(Measurement) extension SegmenterConstants {
    /// All of them by name.
    public static var named: [(name: String, path: any WritableKeyPath<SegmenterConstants, Double> & Sendable)] {
        [
            ("blind", \.blind), ("agreeing", \.agreeing), ("patience", \.patience), ("glance", \.glance),
            ("plain", \.plain), ("glimpse", \.glimpse), ("unhurried", \.unhurried),
            ("resolved", \.resolved), ("shownFor", \.shownFor), ("search", \.search),
            ("boundary", \.boundary), ("correction", \.correction), ("certain", \.certain),
            ("noticed", \.noticed),
            ("again", \.again),
            ("riseUnit", \.riseUnit), ("fallUnit", \.fallUnit), ("freeFall", \.freeFall), ("fastest", \.fastest),
            ("speaking", \.speaking), ("unresolved", \.unresolved), ("vague", \.vague), ("stroke", \.stroke),
            ("rearing", \.rearing), ("hardly", \.hardly), ("unread", \.unread),
            ("clear", \.clear), ("growing", \.growing), ("tonal", \.tonal), ("pure", \.pure), ("clapping", \.clapping),
            ("broken", \.broken), ("breakMost", \.breakMost), ("fading", \.fading),
            ("pulsing", \.pulsing), ("pulse", \.pulse), ("shallow", \.shallow),
            ("swellReach", \.swellReach), ("swellLead", \.swellLead), ("swellDip", \.swellDip),
            ("swellDepth", \.swellDepth),
            ("proven", \.proven), ("newness", \.newness), ("trust", \.trust),
            ("freshWeight", \.freshWeight), ("ringing", \.ringing), ("masking", \.masking), ("doubt", \.doubt),
            ("briefDoubt", \.briefDoubt), ("sure", \.sure),
            ("rings", \.rings), ("dip", \.dip), ("lead", \.lead), ("yielding", \.yielding), ("placing", \.placing),
            ("swelling", \.swelling), ("leastShift", \.leastShift), ("lag", \.lag), ("dent", \.dent),
            ("overslept", \.overslept), ("grown", \.grown), ("outgrown", \.outgrown),
            ("settled", \.settled), ("faint", \.faint),
            ("steadfast", \.steadfast), ("outweighed", \.outweighed),
            ("departure", \.departure), ("legato", \.legato),
            ("leap", \.leap), ("confirmed", \.confirmed), ("octave", \.octave), ("still", \.still),
            ("readingDelay", \.readingDelay),
            ("dipping", \.dipping), ("regained", \.regained), ("deepest", \.deepest), ("unsettled", \.unsettled),
            ("swaying", \.swaying), ("swayingBeside", \.swayingBeside), ("mordent", \.mordent),
            ("swayingSurely", \.swayingSurely), ("widest", \.widest), ("swinging", \.swinging),
            ("gap", \.gap), ("release", \.release), ("releaseTime", \.releaseTime), ("knee", \.knee),
            ("releaseAge", \.releaseAge), ("shortest", \.shortest), ("lowestKey", \.lowestKey),
            ("highestKey", \.highestKey), ("leastError", \.leastError),
        ]
    }
}
