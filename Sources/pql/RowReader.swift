#if CLI
    import PredicateQL
    import QuerySyntax

    /// Reads rows of NDJSON or of a JSON list, one at a time.
    final class RowReader {
        private enum Element {
            case row(Document)
            case malformed(QueryError)
        }

        private let input: RowInput
        private let skipsInvalid: Bool
        private var lines: NDJSONReader?
        private var list: JSONArrayReader?
        private var reader = JSONReader(mode: .extended)
        /// Rows that were left out because they are malformed.
        private(set) var skipped = 0
        /// Rows that were read.
        private(set) var count = 0

        init(_ input: RowInput, skipsInvalid: Bool) {
            self.input = input
            self.skipsInvalid = skipsInvalid
            if input.layout == .list {
                list = JSONArrayReader(input.stream())
            } else {
                lines = NDJSONReader(input.stream())
            }
        }

        /// The next row, or nil at the end.
        ///
        /// - Throws: a `Failure` with file, line and column for a malformed row that is not to be skipped.
        func next() throws -> Document? {
            while let element = try nextElement() {
                switch element {
                case .row(let row):
                    count += 1
                    if count & 0xFF == 0 { input.progress.draw(rows: count) }
                    return row
                case .malformed(let error):
                    guard skipsInvalid else { throw failure(error) }
                    skipped += 1
                }
            }
            return nil
        }

        /// Tells how many rows were left out, if any.
        func finish() {
            input.progress.clear()
            guard skipped > 0 else { return }
            Diagnostics.note("\(input.name): skipped \(skipped) malformed \(skipped == 1 ? "row" : "rows")")
        }

        private func nextElement() throws -> Element? {
            do throws(QueryError) {
                if let element = try lines?.next({ (bytes, _) throws(QueryError) in self.element(bytes) }) {
                    return element
                }
                return try list?.next { (bytes, _) throws(QueryError) in self.element(bytes) }
            } catch {
                if error.code == .store { throw Failure(status: .io, message: "\(input.name): " + error.message) }
                let place = error.range.map { ":byte \($0.lowerBound + 1)" } ?? ""
                throw Failure(status: .data, message: "\(input.name)\(place): " + error.message, hint: error.hint)
            }
        }

        private func element(_ bytes: UnsafeBufferPointer<UInt8>) -> Element {
            do throws(QueryError) {
                guard case .object(let row) = try reader.read(bytes) else {
                    return .malformed(QueryError(.json, "expected an object", range: 0..<1))
                }
                return .row(row)
            } catch {
                return .malformed(error)
            }
        }

        /// `file:line:column: message`; columns count Unicode scalars from 1.
        private func failure(_ error: QueryError) -> Failure {
            let before = Array((error.source ?? "").utf8.prefix(error.range?.lowerBound ?? 0))
            let breaks = before.count { $0 == UInt8(ascii: "\n") }
            let start = before.lastIndex(of: UInt8(ascii: "\n")).map { $0 + 1 } ?? 0
            let column = String(decoding: before[start...], as: UTF8.self).unicodeScalars.count + 1
            var place = "\(input.name):\((lines?.line ?? list?.line ?? 1) + breaks)"
            // The first line of a list's element may hold other elements before it.
            if lines != nil || breaks > 0 { place += ":\(column)" }
            return Failure(
                status: .data,
                message: place + ": " + error.message,
                hint: error.hint ?? "--skip-invalid leaves malformed rows out"
            )
        }
    }
#endif
