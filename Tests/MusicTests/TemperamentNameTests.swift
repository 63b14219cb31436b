@testable import Music
import Testing

@Suite struct TemperamentNameTests {
    @Test func `Names are found however they are spelled, and unknown ones list the likely`() throws {
        #expect(try Temperament(named: "werckmeister-iii") == .werckmeisterIII)
        #expect(try Temperament(named: "WERCKMEISTER") == .werckmeisterIII)
        #expect(try Temperament(named: "meantone") == .quarterCommaMeantone)
        #expect(try Temperament(named: "1/4 comma") == .quarterCommaMeantone)
        #expect(try Temperament(named: "young") == .youngII)
        #expect {
            try Temperament(named: "werkmeister")
        } throws: { error in
            guard case .unknown("temperament", "werkmeister", let known) = error as? NameError else { return false }
            return known.contains("Werckmeister III")
        }
        #expect(throws: NameError.unknown(kind: "temperament", name: "vall", known: ["Vallotti"])) {
            try Temperament(named: "vall")
        }
        #expect(
            NameError.ambiguous(kind: "temperament", name: "x", known: ["a", "b"]).message
                == "'x' is the name of more than one temperament: choose one of a, b")
        #expect(
            NameError.unknown(kind: "temperament", name: "x", known: ["a", "b"]).message
                == "no temperament is called 'x': choose one of a, b")
    }

    @Test(arguments: [
        ("werckmeister 4", "Werckmeister IV"), ("Werckmeister IV", "Werckmeister IV"),
        ("werckmeister4", "Werckmeister IV"), ("septenarius", "Werckmeister VI"), ("kirnberger", "Kirnberger III"),
        ("lehman", "Lehman"), ("bach lehman", "Lehman"), ("Lehman-Bach", "Lehman"), ("bendeler 2", "Bendeler II"),
        ("temperament ordinaire", "tempérament ordinaire"), ("Tempe\u{301}rament Ordinaire", "tempérament ordinaire"),
        ("d’Alembert", "tempérament ordinaire"), ("rousseau", "tempérament ordinaire"),
        ("Neidhardt 1724 Große Stadt", "Neidhardt 1724 grosse Stadt"), ("neidhardt 3", "Neidhardt 1724 grosse Stadt"),
        ("dorf 1732", "Neidhardt 1732 Dorf"), ("2/7 comma", "two-sevenths-comma meantone"),
        ("meantone 1/3", "third-comma meantone"), ("quarter comma", "quarter-comma meantone"),
        ("zarlino", "two-sevenths-comma meantone"), ("van Zwolle", "Arnaut de Zwolle"), ("marpurg", "Marpurg VII"),
        ("lambert 1774", "Lambert"), ("young 1", "Young I"), ("Kellner temperament", "Kellner"), ("12-TET", "equal"),
    ]) func `Names are found in the spellings that people use`(text: String, name: String) throws {
        #expect(try Temperament(named: text).name == name)
    }

    @Test(arguments: [
        ("bach", ["Kellner", "Barnes", "Klais", "Lehman", "Jencka"]), ("sorge", ["Sorge 1744", "Sorge 1758"]),
        ("neidhardt dorf", ["Neidhardt 1724 Dorf", "Neidhardt 1732 Dorf"]),
        ("bendeler", ["Bendeler I", "Bendeler II", "Bendeler III"]), ("young 1800", ["Young I", "Young II"]),
    ]) func `A name that fits several temperaments lists those`(text: String, candidates: [String]) {
        #expect(throws: NameError.ambiguous(kind: "temperament", name: text, known: candidates)) {
            try Temperament(named: text)
        }
    }

    @Test func `No two temperaments share a name, and each is found by all of its own`() throws {
        var seen: [String: String] = [:]
        for temperament in Temperament.all {
            for spelling in [temperament.name] + temperament.aliases {
                #expect(try Temperament(named: spelling) == temperament, "\(spelling)")
                #expect(
                    seen.updateValue(temperament.name, forKey: lookupKey(spelling)) ?? temperament.name
                        == temperament.name)
            }
        }
        #expect(throws: NameError.self) { try Temperament(named: "temperament") }
        #expect(throws: NameError.self) { try Temperament(named: "") }
    }
}
