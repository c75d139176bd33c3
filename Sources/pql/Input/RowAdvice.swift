#if CLI
    import PredicateQL
    import QueryValues

    /// What is wrong with a malformed row, in the words of what programs often write, and what to do.
    struct RowAdvice {
        private(set) var message: String
        private(set) var hint: String?

        /// Explains the error of a reader of JSON.
        ///
        /// - Parameters:
        ///   - error: the error, with the row's text if that is short.
        ///   - isElement: true if the row is an element of a list.
        ///   - place: the keys that lead to the list, with dots between them; nil for a file of rows.
        ///   - isFirst: true if it begins the file.
        init(_ error: QueryError, isElement: Bool, at place: String? = nil, isFirst: Bool = false) {
            (message, hint) = (error.message, error.hint)
            let text = Array((error.source ?? "").utf8)
            let range = (error.range ?? 0..<0).clamped(to: 0..<text.count)
            if isElement, text.isEmpty, error.source != nil {
                message = "a comma without a value beside it, such as the last one before `]`"
                hint = "remove the comma"
            } else if let word = ["NaN", "Infinity"].first(where: { text[range.lowerBound...].starts(with: $0.utf8) }) {
                message = "JSON has no \(word)"
                hint =
                    #"write null instead, as by sed -E 's/(: *)(NaN|-?Infinity)/\1null/g' if no text holds such words"#
            } else if let (call, key) = Self.calls.first(where: { text[range.lowerBound...].starts(with: $0.0.utf8) }) {
                message = "JSON has no \(call)…)"
                hint = #"write {"\#(key)":"…"}, as by sed -E 's/\#(call.dropLast())\("([^"]*)"\)/{"\#(key)":"\1"}/g'"#
            } else if message == QueryError.wholeIsTooLarge {
                let number = String(decoding: text[range].prefix(40), as: UTF8.self) + (range.count > 40 ? "…" : "")
                if !number.isEmpty { message = "the whole number \(number) does not fit in 64 bits" }
                hint = "write it in quotes, as a text, or with .0 after it, as the nearest double"
            } else if message == QueryError.textIsNoUTF8 {
                hint = "convert the file: iconv -f WINDOWS-1252 -t UTF-8"
            } else if message == QueryError.rowIsNoObject {
                let list = isElement ? (place.map { "." + $0 } ?? ".") + "[] | " : ""
                hint = "a row is an object; values become rows by jq -c '\(list){value: .}'"
            } else if isFirst, !isElement, let first = text.first, !"{[\"".utf8.contains(first) {
                hint =
                    "it is read as lines of JSON; for CSV of one column name the file NAME.csv, or write a line `sep=,` before it"
            } else if text[range.lowerBound...].first == UInt8(ascii: "{"), let key = Self.key(before: range, in: text)
            {
                message = "\(key): " + message
            }
        }

        /// Values of Mongo's shell, and the keys that hold them in JSON.
        private static let calls = [
            ("ISODate(", "$date"), ("ObjectId(", "$oid"), ("UUID(", "$uuid"), ("NumberDecimal(", "$numberDecimal"),
            ("NumberLong(", "$numberLong"), ("NumberInt(", "$numberInt"),
        ]

        /// The key of the value at a place in a row's text; nil for a value without one.
        private static func key(before range: Range<Int>, in text: [UInt8]) -> String? {
            let before = text[..<range.lowerBound].split(
                separator: UInt8(ascii: "\""),
                omittingEmptySubsequences: false
            )
            guard before.count > 2, before[before.count - 1].allSatisfy({ [0x20, 0x09, 0x3A].contains($0) }),
                before[before.count - 1].contains(0x3A)
            else { return nil }
            return String(decoding: before[before.count - 2], as: UTF8.self)
        }
    }
#endif
