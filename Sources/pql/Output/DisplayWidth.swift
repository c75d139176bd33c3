/// The cells that a text takes on a terminal.
func displayWidth(_ text: String) -> Int {
    // ASCII takes one cell per byte.
    if text.utf8.allSatisfy({ $0 < 0x80 }) { return text.utf8.count }
    return text.reduce(0) { $0 + displayWidth($1) }
}

/// The cells of one character: two for wide scripts and emoji, none for lone marks.
func displayWidth(_ character: Character) -> Int {
    var width = 0
    for scalar in character.unicodeScalars {
        if scalar.value == 0xFE0F { return 2 }
        switch scalar.properties.generalCategory {
        case .nonspacingMark, .enclosingMark, .format: continue
        default: width = max(width, isWide(scalar) ? 2 : 1)
        }
    }
    return width
}

/// Scalars of East Asian width W or F, and emoji shown as pictures.
private func isWide(_ scalar: Unicode.Scalar) -> Bool {
    if scalar.properties.isEmojiPresentation { return true }
    return switch scalar.value {
    case 0x1100...0x115F, 0x2E80...0x303E, 0x3041...0x33FF, 0x3400...0x4DBF, 0x4E00...0x9FFF, 0xA000...0xA4CF,
        0xA960...0xA97F, 0xAC00...0xD7A3, 0xF900...0xFAFF, 0xFE30...0xFE6F, 0xFF00...0xFF60, 0xFFE0...0xFFE6,
        0x1B000...0x1B2FF, 0x20000...0x3FFFD:
        true
    default: false
    }
}
