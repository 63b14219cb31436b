extension Temperament {
    /// Irregular temperaments from 1440 to 1829, by date. A new one is an entry here, with a published table in
    /// `PublishedTemperaments`.
    static let historical: [Temperament] = [
        // Pythagorean, with the wolf on B–F♯, so that D, E, A and B have thirds that are nearly pure.
        Temperament(
            "Arnaut de Zwolle", "about 1440", also: ["van Zwolle"], narrowing: [0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0],
            by: pythagoreanComma,
            source: "Arnaut de Zwolle, Paris, Bibliothèque nationale, ms. latin 7295"),
        // A Pythagorean diatonic scale whose whole tones are halved: Ratte, "Die Temperatur der Clavierinstrumente", 1991.
        Temperament(
            "Grammateus", "1518", narrowing: [0, 0, 0, 0, 0, 1, 0, 0, 0, 1, 0, 0], by: pythagoreanComma / 2,
            source: "Grammateus, Ayn new kunstlich Buech"),
        // All three: Meister, "Die Orgelstimmung in Süddeutschland", 1991, page 119, and Poletti's tables.
        Temperament(
            "Bendeler I", "about 1690", narrowing: [1, 1, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0], by: pythagoreanComma / 3,
            source: "Bendeler, Organopoeia"),
        Temperament(
            "Bendeler II", "about 1690", narrowing: [1, 0, 1, 0, 0, 0, 1, 0, 0, 0, 0, 0], by: pythagoreanComma / 3,
            source: "Bendeler, Organopoeia"),
        Temperament(
            "Bendeler III", "about 1690", narrowing: [1, 1, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0], by: pythagoreanComma / 4,
            source: "Bendeler, Organopoeia"),
        // The numbers are those on his monochord, where I is just and II meantone. He does not say which comma: the
        // Pythagorean one closes the circle.
        Temperament(
            "Werckmeister III", "1691", also: ["Werckmeister"], narrowing: [1, 1, 1, 0, 0, 1, 0, 0, 0, 0, 0, 0],
            by: pythagoreanComma / 4,
            source: "Werckmeister, Musicalische Temperatur: the correct temperament no. 1"),
        Temperament(
            "Werckmeister IV", "1691", narrowing: [1, 0, 1, 0, 1, 0, 1, 0, -1, -1, 1, 0], by: pythagoreanComma / 3,
            source: "Werckmeister, Musicalische Temperatur"),
        Temperament(
            "Werckmeister V", "1691", narrowing: [0, 0, 1, 1, 0, 0, 1, 1, -1, 0, 0, 1], by: pythagoreanComma / 4,
            source: "Werckmeister, Musicalische Temperatur"),
        // He prints D as 176, which narrows G–D by more than half a comma: 175 (Dent, "The Septenarius", 2006).
        Temperament(
            "Werckmeister VI", "1691", also: ["Septenarius"],
            lengths: [196, 186, 175, 165, 156, 147, 139, 131, 124, 117, 110, 104],
            source: "Werckmeister, Musicalische Temperatur: the Septenarius"),
        // Norrback, "A Passable and Good Temperament", 2002, and Poletti go back to the prints. G of the large city is a twelfth
        // of a comma too low in Barbour, "Tuning and Temperament", 1951, and in what follows him.
        Temperament(
            "Neidhardt 1724 Dorf", "1724", also: ["Neidhardt I"], narrowing: [2, 2, 2, 2, 1, 1, 0, 0, 1, 1, 0, 0],
            by: pythagoreanComma / 12,
            source: "Neidhardt, Sectio canonis harmonici: for a village"),
        Temperament(
            "Neidhardt 1724 kleine Stadt", "1724", also: ["Neidhardt II"],
            narrowing: [2, 2, 2, 1, 0, 1, 1, 1, 0, 0, 1, 1], by: pythagoreanComma / 12,
            source: "Neidhardt, Sectio canonis harmonici: for a small town"),
        Temperament(
            "Neidhardt 1724 grosse Stadt", "1724", also: ["Neidhardt III"],
            narrowing: [2, 2, 2, 1, 0, 1, 1, 1, 0, 1, 1, 0], by: pythagoreanComma / 12,
            source: "Neidhardt, Sectio canonis harmonici: for a large city"),
        // He begins on B♭ with seven fifths of meantone and ends with two that are wide: Lindley, "Stimmung und Temperatur",
        // 1987, makes those of one size and the three between pure.
        Temperament(
            "Rameau", "1726", narrowing: [1, 1, 1, 1, 1, 0, 0, 0, nil, nil, 1, 1], by: syntonicComma / 4,
            source: "Rameau, Nouveau système de musique théorique, as read by Lindley"),
        // From the lengths that Neidhardt prints: Meister, page 124. The village of 1732 in the Scala archive is another.
        Temperament(
            "Neidhardt 1732 Dorf", "1732", narrowing: [1, 2, 3, 3, 0, 1, 0, 1, 0, 0, 1, 0], by: pythagoreanComma / 12,
            source: "Neidhardt, Gäntzlich erschöpfte mathematische Abtheilungen: for a village"),
        Temperament(
            "Neidhardt 1732 kleine Stadt", "1732", narrowing: [2, 2, 2, 2, 1, 1, 0, 0, 1, 1, 0, 0],
            by: pythagoreanComma / 12,
            source: "Neidhardt, Gäntzlich erschöpfte mathematische Abtheilungen: the village of 1724"),
        Temperament(
            "Neidhardt 1732 grosse Stadt", "1732", narrowing: [2, 2, 2, 1, 0, 1, 1, 1, 0, 0, 1, 1],
            by: pythagoreanComma / 12,
            source: "Neidhardt, Gäntzlich erschöpfte mathematische Abtheilungen: the small town of 1724"),
        Temperament(
            "Sorge 1744", "1744", narrowing: [2, 2, 1, 1, 0, 1, 1, 0, 0, 1, 1, 2], by: pythagoreanComma / 12,
            source: "Sorge, Anweisung zur Stimmung und Temperatur, the second on page 23"),
        // C–E pure, then fuller fifths up to G♯, and wide ones on the side of the flats. D'Alembert, and Rousseau in 1768, give
        // no sizes beyond C–E: the fifths of equal temperament up to G♯ are Beebe's, "Technical Library" XVI, hpschd.nu.
        Temperament(
            "tempérament ordinaire", "1752", also: ["d'Alembert", "Rousseau", "d'Alembert-Rousseau"],
            narrowing: [1, 1, 1, 1, 0, 0, 0, 0, nil, nil, nil, nil], by: syntonicComma / 4,
            and: ([0, 0, 0, 0, 1, 1, 1, 1, 0, 0, 0, 0], pythagoreanComma / 12),
            source: "d'Alembert, Élémens de musique"),
        Temperament(
            "Sorge 1758", "1758", narrowing: [2, 2, 2, 1, 0, 1, 1, 0, 1, 1, 1, 0], by: pythagoreanComma / 12,
            source: "Sorge, Zuverlässige Anweisung, Claviere und Orgeln zu stimmen, page 20"),
        // F♯–C♯ takes the schisma that the syntonic comma leaves: Lange, "Ein Beitrag zur musikalischen Temperatur", 1968.
        Temperament(
            "Kirnberger I", "1766", narrowing: [0, 0, 1, 0, 0, 0, nil, 0, 0, 0, 0, 0], by: syntonicComma,
            source: "Kirnberger, Clavierübungen, fourth collection"),
        Temperament(
            "Kirnberger II", "1771", narrowing: [0, 0, 1, 1, 0, 0, nil, 0, 0, 0, 0, 0], by: syntonicComma / 2,
            source: "Kirnberger, Die Kunst des reinen Satzes"),
        Temperament(
            "Lambert", "1774", narrowing: [1, 1, 1, 1, 1, 1, 0, 0, 0, 0, 0, 1],
            by: pythagoreanComma / 7,
            source: "Lambert, Remarques sur le tempérament en musique"),
        Temperament(
            "Kirnberger III", "about 1779", also: ["Kirnberger"],
            narrowing: [1, 1, 1, 1, 0, 0, nil, 0, 0, 0, 0, 0], by: syntonicComma / 4,
            source: "Kirnberger, letter to Forkel, in Allgemeine musikalische Zeitung, 1871"),
        Temperament(
            "Vallotti", "1779", also: ["Tartini-Vallotti"], narrowing: [1, 1, 1, 1, 1, 0, 0, 0, 0, 0, 0, 1],
            by: pythagoreanComma / 6,
            source: "Vallotti, Della scienza teorica e pratica della moderna musica"),
        Temperament(
            "Marpurg VII", "1790", also: ["Marpurg"], narrowing: [1, 0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0],
            by: pythagoreanComma / 3,
            source: "Marpurg, Neue Methode, allerley Arten von Temperaturen mitzutheilen, page 28"),
        // Both of Young's were read on 16 January 1800: Philosophical Transactions 90. C–E of the first is wide by 1/4 of the
        // syntonic comma and F♯–A♯ by a whole one, which leaves E–B, B–F♯, B♭–F and F–C narrow by about 1/12.
        Temperament(
            "Young I", "1800", narrowing: [1, 1, 1, 1, nil, nil, 0, 0, 0, 0, nil, nil], by: syntonicComma * 3 / 16,
            source: "Young, Outlines of Experiments and Inquiries respecting Sound and Light"),
        Temperament(
            "Young II", "1800", also: ["Young"], narrowing: [1, 1, 1, 1, 1, 1, 0, 0, 0, 0, 0, 0],
            by: pythagoreanComma / 6,
            source: "Young, Outlines of Experiments and Inquiries respecting Sound and Light"),
        // Ratte, "Temperierungspraktiken im süddeutschen Orgelbau", 1990, page 406.
        Temperament(
            "Bruder", "1829", narrowing: [1, 1, 16, 16, 2, 1, 1, 2, 2, 2, 2, 2],
            by: pythagoreanComma / 48,
            source: "Ignaz Bruder's instructions for organs, as set by Peter Vier"),
    ]
}
