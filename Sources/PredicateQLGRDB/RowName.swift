#if GRDB
    import PredicateQL

    /// A table name that represents "this row" and occurs nowhere else in the statement.
    struct RowName {
        enum Piece: Equatable {
            case text(String)
            case column(String)
        }

        let name: String

        init(avoiding query: Query) {
            var name = "predicateql_row"
            while query.format.contains(name) { name += "_" }
            self.name = name
        }

        /// A column of the row.
        func qualified(_ column: String) -> String {
            "\"\(name)\".\"" + column.replacing("\"", with: "\"\"") + "\""
        }

        /// Splits SQL at each `"name"."column"`; the text before, between and after the columns may be empty.
        ///
        /// By bytes, because a name may start with a combining mark.
        func pieces(of sql: String) -> [Piece] {
            let mark = Array("\"\(name)\".\"".utf8)
            var pieces: [Piece] = []
            var rest = Array(sql.utf8)[...]
            while let found = rest.firstRange(of: mark) {
                pieces.append(.text(String(decoding: rest[..<found.lowerBound], as: UTF8.self)))
                rest = rest[found.upperBound...]
                pieces.append(.column(Self.identifier(&rest)))
            }
            pieces.append(.text(String(decoding: rest, as: UTF8.self)))
            return pieces
        }

        /// Takes a name up to its closing quote; doubled quotes stay doubled, because GRDB writes names verbatim.
        private static func identifier(_ rest: inout ArraySlice<UInt8>) -> String {
            let quote = UInt8(ascii: "\"")
            var name: [UInt8] = []
            while let byte = rest.popFirst() {
                if byte == quote {
                    guard rest.first == quote else { break }
                    rest.removeFirst()
                    name.append(quote)
                }
                name.append(byte)
            }
            return String(decoding: name, as: UTF8.self)
        }
    }
#endif
