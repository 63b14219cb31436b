/// The files of the page, compiled in.
enum PageFiles {
    struct File: Sendable {
        let contentType: String
        let bytes: [UInt8]

        fileprivate init(_ contentType: String, _ bytes: [UInt8]) {
            (self.contentType, self.bytes) = (contentType, bytes)
        }
    }

    private static let html = "text/html; charset=utf-8", css = "text/css; charset=utf-8"
    private static let javaScript = "text/javascript; charset=utf-8", svg = "image/svg+xml"

    /// Every file that is served, by its path. The tests hold it against the folder `Page`.
    static let all: [String: File] = [
        "/": File(html, PackageResources.index_html),
        "/appearance.js": File(javaScript, PackageResources.appearance_js),
        "/bars.js": File(javaScript, PackageResources.bars_js),
        "/changes.js": File(javaScript, PackageResources.changes_js),
        "/clock.js": File(javaScript, PackageResources.clock_js),
        "/coming.js": File(javaScript, PackageResources.coming_js),
        "/commands.js": File(javaScript, PackageResources.commands_js),
        "/controls.js": File(javaScript, PackageResources.controls_js),
        "/course.js": File(javaScript, PackageResources.course_js),
        "/dom.js": File(javaScript, PackageResources.dom_js),
        "/drawing.js": File(javaScript, PackageResources.drawing_js),
        "/flashes.js": File(javaScript, PackageResources.flashes_js),
        "/help.js": File(javaScript, PackageResources.help_js),
        "/icon.svg": File(svg, PackageResources.icon_svg),
        "/ink.js": File(javaScript, PackageResources.ink_js),
        "/inview.js": File(javaScript, PackageResources.inview_js),
        "/keys.js": File(javaScript, PackageResources.keys_js),
        "/library.js": File(javaScript, PackageResources.library_js),
        "/light.js": File(javaScript, PackageResources.light_js),
        "/link.js": File(javaScript, PackageResources.link_js),
        "/marks.js": File(javaScript, PackageResources.marks_js),
        "/notice.js": File(javaScript, PackageResources.notice_js),
        "/order.js": File(javaScript, PackageResources.order_js),
        "/outbox.js": File(javaScript, PackageResources.outbox_js),
        "/pages.js": File(javaScript, PackageResources.pages_js),
        "/panels.js": File(javaScript, PackageResources.panels_js),
        "/pattern.js": File(javaScript, PackageResources.pattern_js),
        "/pen.js": File(javaScript, PackageResources.pen_js),
        "/place.js": File(javaScript, PackageResources.place_js),
        "/score.js": File(javaScript, PackageResources.score_js),
        "/screen.js": File(javaScript, PackageResources.screen_js),
        "/scroll.js": File(javaScript, PackageResources.scroll_js),
        "/setlists.js": File(javaScript, PackageResources.setlists_js),
        "/settings.js": File(javaScript, PackageResources.settings_js),
        "/sheets.js": File(javaScript, PackageResources.sheets_js),
        "/shown.js": File(javaScript, PackageResources.shown_js),
        "/stage.js": File(javaScript, PackageResources.stage_js),
        "/stand.css": File(css, PackageResources.stand_css),
        "/stand.js": File(javaScript, PackageResources.stand_js),
        "/stroke.js": File(javaScript, PackageResources.stroke_js),
        "/toggled.js": File(javaScript, PackageResources.toggled_js),
        "/touch.js": File(javaScript, PackageResources.touch_js),
        "/trace.js": File(javaScript, PackageResources.trace_js),
        "/turns.js": File(javaScript, PackageResources.turns_js),
        "/vibration.js": File(javaScript, PackageResources.vibration_js),
    ]
}
