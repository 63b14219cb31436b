import Foundation

func pad(_ text: String, _ width: Int) -> String { text + String(repeating: " ", count: max(1, width - text.count)) }

func padLeft(_ text: String, _ width: Int) -> String {
    String(repeating: " ", count: max(1, width - text.count)) + text
}

/// 1234567.8 as "1,234,568".
func grouped(_ value: Double) -> String {
    var digits = Array(String(Int(value.rounded())))
    var place = digits.count - 3
    while place > (digits.first == "-" ? 1 : 0) {
        digits.insert(",", at: place)
        place -= 3
    }
    return String(digits)
}
