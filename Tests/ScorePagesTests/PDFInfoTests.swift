import Testing

@testable import ScorePages

@Suite struct PDFInfoTests {
    @Test func `Sizes are those of the pages as they are shown`() {
        let info = PDFInfo(
            """
            Title:           Page 1 size: 1 x 1 pts
            Pages:           2
            Page    1 size:  595.28 x 841.89 pts (A4)
            Page    1 rot:   0
            Page    2 size:  612 x 792 pts (letter)
            Page    2 rot:   270
            """)
        #expect(info.pageCount == 2)
        #expect(info.sizes == [.init(width: 595.28, height: 841.89), .init(width: 792, height: 612)])
        #expect(PDFInfo("Page 1 size: inf x nan pts (A4)\nPage 1 size: -1 x 5 pts (A4)").sizes.isEmpty)
    }

    @Test func `A scan is one picture over the whole page`() {
        let head =
            "page   num  type   width height color comp bpc  enc interp  object ID x-ppi y-ppi size ratio\n----\n"
        let row = "   1     0 image    2480  3508  gray    1   8  jpeg   no         8  0   300   300  215K 2.5%\n"
        let page = ScoreDocument.PageSize(width: 595, height: 842)
        #expect(PDFImageList(head + row).covers(page))
        #expect(PDFImageList(head + row).covers(.init(width: 842, height: 595)), "a turned page")
        #expect(PDFImageList(head + row + row.replacing("image", with: "smask")).covers(page), "with a mask")
        #expect(!PDFImageList(head + row + row).covers(page), "two pictures")
        #expect(!PDFImageList(head + row.replacing("  300   300", with: " 1200  1200")).covers(page), "a small one")
        #expect(!PDFImageList(head).covers(page) && !PDFImageList("").covers(page))
    }
}
