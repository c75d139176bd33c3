#if CLI
    /// JSON text in colours: names blue, texts green, null dim.
    enum ColoredJSON {
        private static let end = Array("\u{1B}[0m".utf8)

        /// The text with colours, and without characters that could command the terminal.
        ///
        /// - Parameter json: valid JSON.
        /// - Returns: the same JSON, painted.
        static func text(_ json: String) -> String {
            let bytes = Array(harmless(json).utf8)
            var out: [UInt8] = []
            var at = 0
            while at < bytes.count {
                let start = at
                switch bytes[at] {
                case UInt8(ascii: "\""):
                    at = stringEnd(bytes, from: at)
                    let isName = bytes[at...].first { $0 != 0x20 } == UInt8(ascii: ":")
                    paint(bytes[start..<at], isName ? "34;1" : "32", &out)
                case UInt8(ascii: "n"):
                    at = min(at + 4, bytes.count)
                    paint(bytes[start..<at], "2", &out)
                default:
                    out.append(bytes[at])
                    at += 1
                }
            }
            return String(decoding: out, as: UTF8.self)
        }

        private static func stringEnd(_ bytes: [UInt8], from start: Int) -> Int {
            var at = start + 1
            while at < bytes.count, bytes[at] != UInt8(ascii: "\"") { at += bytes[at] == UInt8(ascii: "\\") ? 2 : 1 }
            return min(at + 1, bytes.count)
        }

        private static func paint(_ bytes: ArraySlice<UInt8>, _ code: String, _ out: inout [UInt8]) {
            out += "\u{1B}[\(code)m".utf8
            out += bytes
            out += end
        }

        /// JSON escapes most control characters; the others begin commands in some terminals.
        private static func harmless(_ text: String) -> String {
            guard text.unicodeScalars.contains(where: { (0x7F...0x9F).contains($0.value) }) else { return text }
            return text.unicodeScalars.reduce(into: "") { result, scalar in
                if (0x7F...0x9F).contains(scalar.value) {
                    result += "\\u00" + String(scalar.value, radix: 16)
                } else {
                    result.unicodeScalars.append(scalar)
                }
            }
        }
    }
#endif
