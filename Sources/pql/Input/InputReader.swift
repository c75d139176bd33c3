#if CLI
    import PredicateQL
    import QueryEvaluation
    import QueryStreams
    import QueryValues

    /// Reads rows, one at a time; malformed ones are reported or skipped.
    ///
    /// All cores read large files.
    final class InputReader {
        private let input: RowInput
        private let paths: RowPaths
        private var faults: RowFaults
        private var rows: JSONPathReader
        /// What all cores read, if they do, and the rows at hand.
        private var batches: RowBatches?
        private var batch: [Document] = []
        private var position = 0
        private var batchBytes = 0
        /// Rows to pass over, because all cores had read them before an error.
        private var known = 0
        /// Rows that were read.
        private(set) var count = 0
        /// About how many bytes of the text of the rows were read.
        var offset: Int { batches == nil ? rows.offset : batchBytes }
        /// The number of malformed rows that were skipped.
        var skipped: Int { faults.skipped }

        /// A reader of an input from its start.
        ///
        /// - Parameters:
        ///   - input: the input.
        ///   - paths: what to keep of each row.
        ///   - skipsInvalid: true to skip malformed rows.
        /// - Throws: a `Failure` when the input cannot be read.
        init(_ input: RowInput, _ paths: RowPaths = .everything, skipsInvalid: Bool) throws {
            (self.input, self.paths) = (input, paths)
            faults = RowFaults(input, skipsInvalid: skipsInvalid)
            batches = input.isLarge ? RowBatches(input.rows, paths) : nil
            rows = try (batches == nil ? input.rows : JSONRows([])).reader(paths)
        }

        /// Passes on all rows.
        ///
        /// - Parameter body: takes each row.
        /// - Throws: as ``next()``, and what `body` throws.
        func forEach(_ body: (Document) throws -> Void) throws {
            while let next = batches?.next() {
                for row in next.rows { try body(row) }
                count += next.rows.count
            }
            while let row = try next() { try body(row) }
        }

        /// The next row, or nil at the end.
        ///
        /// - Throws: a `Failure` with file, line and column for a malformed row that is not to be skipped.
        func next() throws -> Document? {
            while let batches {
                if position < batch.count {
                    position += 1
                    count += 1
                    return batch[position - 1]
                }
                if let next = batches.next() {
                    (batch, position) = (next.rows, 0)
                    batchBytes += next.bytes
                    continue
                }
                self.batches = nil
                guard batches.isBroken else { return nil }
                // One core names the row that is malformed.
                try input.startAnew()
                rows = try input.rows.reader(paths)
                known = count
            }
            while true {
                do throws(QueryError) {
                    guard let row = try Self.next(&rows) else { return nil }
                    known -= 1
                    if known >= 0 { continue }
                    count += 1
                    return row
                } catch {
                    try faults.take(error, isOfRow: rows.isRowMalformed, layout: rows.layout, line: rows.line)
                }
            }
        }

        /// The next row; a reader in a property of an object would be copied to ask it for the row.
        private static func next(_ rows: inout JSONPathReader) throws(QueryError) -> Document? {
            try rows.next() ? rows.row : nil
        }

        /// Reports how many rows were skipped, if any.
        ///
        /// - Throws: a `Failure` if no row is left.
        func finish() throws { try faults.finish(read: count) }
    }

    /// What to do with malformed rows.
    struct RowFaults {
        private let input: RowInput
        private let skipsInvalid: Bool
        private(set) var skipped = 0
        /// What was wrong with the first malformed row.
        private var first: String?

        init(_ input: RowInput, skipsInvalid: Bool) {
            self.input = input
            self.skipsInvalid = skipsInvalid
        }

        private var allSkipped: Int { skipped + input.text.skipped }

        /// Counts a malformed row to be skipped.
        ///
        /// - Throws: a `Failure` with its place for every other error.
        mutating func take(_ error: QueryError, isOfRow: Bool, layout: JSONLayout, line: Int) throws {
            if let failure = input.text.failure {
                throw input.text.explained(failure)
            } else if isOfRow {
                guard skipsInvalid else { throw input.text.explained(failure(error, layout, line)) }
                if first == nil { first = failure(error, layout, line).message }
                skipped += 1
            } else if error.code == .store {
                throw Failure(status: .io, message: "\(input.name): " + error.message)
            } else if error.code == .json {
                let place = error.range.map { ":byte \($0.lowerBound + 1)" } ?? ""
                throw input.text.explained(
                    Failure(status: .data, message: "\(input.name)\(place): " + error.message, hint: error.hint)
                )
            } else {
                throw error
            }
        }

        /// Reports how many rows were skipped, if any.
        ///
        /// - Parameter read: how many were read.
        /// - Throws: a `Failure` if rows were skipped and none was read, because such a file has no rows.
        func finish(read: Int) throws {
            input.progress.clear()
            let skipped = allSkipped
            guard skipped > 0 else { return }
            if read == 0 {
                throw Failure(
                    status: .data,
                    message: "\(input.name): every row is malformed",
                    hint: first.map { "the first: \($0)" } ?? "run without --skip-invalid to see the first one"
                )
            }
            Diagnostics.note("\(input.name): skipped \(skipped) malformed \(skipped == 1 ? "row" : "rows")")
        }

        /// A query's error with the place of its row, as that of a malformed one.
        func placed(_ error: QueryError, line: Int) -> QueryError {
            var error = error
            error.message = place(ofLine: line).text + ": " + error.message
            return error
        }

        private func place(ofLine line: Int) -> (text: String, line: Int?) {
            let found = input.text.place(ofLine: line)
            return (found.line.map { "\(found.name):\($0)" } ?? "\(found.name), \(found.words)", found.line)
        }

        /// `file:line:column: message`; columns count Unicode scalars from 1.
        private func failure(_ error: QueryError, _ layout: JSONLayout, _ line: Int) -> Failure {
            let before = Array((error.source ?? "").utf8.prefix(error.range?.lowerBound ?? 0))
            let breaks = before.count { $0 == UInt8(ascii: "\n") }
            let start = before.lastIndex(of: UInt8(ascii: "\n")).map { $0 + 1 } ?? 0
            let column = String(decoding: before[start...], as: UTF8.self).unicodeScalars.count + 1
            let found = self.place(ofLine: line + breaks)
            var place = found.text
            // The first line of a list's element may contain other elements before it.
            if found.line != nil, layout == .lines || breaks > 0 { place += ":\(column)" }
            let advice = RowAdvice(
                error,
                isElement: layout == .list,
                at: input.text.rowsPlace,
                isFirst: found.line == 1 && breaks == 0
            )
            return Failure(
                status: .data,
                message: place + ": " + advice.message,
                hint: (advice.hint.map { $0 + "; " } ?? "") + "--skip-invalid leaves malformed rows out"
            )
        }
    }
#endif
