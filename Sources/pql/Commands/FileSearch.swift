#if CLI
    import PredicateQL
    import QueryBatch
    import QueryChecking
    import QueryEvaluation
    import QueryMeaning
    import QueryStreams
    import QueryTree
    import QueryValues

    /// A query over rows of JSON, one row at a time.
    struct FileSearch {
        private let input: RowInput
        private let skipsInvalid: Bool
        private let isStrict: Bool
        private let now = Query.presentInstant

        /// A search of an input.
        ///
        /// - Parameters:
        ///   - input: the rows.
        ///   - skipsInvalid: true to skip malformed rows.
        ///   - isStrict: true to fail for a field name that occurs in no row, instead of a note.
        init(_ input: RowInput, skipsInvalid: Bool, isStrict: Bool = false) {
            self.input = input
            self.skipsInvalid = skipsInvalid
            self.isStrict = isStrict
        }

        /// Writes the results, those of a large file as read by all cores.
        ///
        /// - Parameters:
        ///   - wanted: the query or groups.
        ///   - writer: takes the results.
        /// - Throws: as ``forEachResult(_:isShown:_:)``.
        func write(_ wanted: RowsOrGroups, to writer: inout any RowWriter) throws {
            let isShown = StandardOutput.shared.isTerminal
            guard case .rows(let query) = wanted else {
                return try forEachResult(wanted, isShown: isShown) { try writer.write($0) }
            }
            input.names.watch(wanted)
            input.progress.isWanted = !isShown || !query.order.isEmpty
            var written = 0
            if input.isLarge, query.isFoundInAnyPiece {
                if try write(query, to: &writer, &written) { return }
                try input.startAnew()
            }
            let encoder = query.resultNames == nil ? writer.encoder : nil
            var text: [UInt8] = []
            try forEachMatch(query) { run in
                if written > 0 {
                    written -= 1
                } else if let encoder, try Self.append(&run, encoder, to: &text) {
                    try writer.write(encoded: text)
                    text.removeAll(keepingCapacity: true)
                } else if let row = try run.result() {
                    try writer.write(row)
                }
            }
        }

        /// Appends the result that a run moved to, if its text is all that an encoder needs.
        private static func append(
            _ run: inout JSONRun,
            _ encoder: any RowEncoder,
            to text: inout [UInt8]
        ) throws(QueryError) -> Bool {
            try run.withText { (json) throws(QueryError) in encoder.append(json: json, to: &text) }
        }

        /// What one core makes of the results in some lines: their text, or rows if they cannot be written yet.
        private struct Batch: Sendable {
            var text: [UInt8] = []
            var rows: [Document] = []
            var count = 0
        }

        /// Writes results as all cores find them.
        ///
        /// - Parameters:
        ///   - query: the query.
        ///   - writer: takes the results.
        ///   - written: how many results were written.
        /// - Returns: false if one core must find the rest, and name the row that is malformed.
        /// - Throws: `QueryError` for a mistake in the query, and what the writer throws.
        private func write(_ query: Query, to writer: inout any RowWriter, _ written: inout Int) throws -> Bool {
            let encoder = SharedEncoder(writer.encoder)
            let isWhole = query.resultNames == nil
            let rows = try query.forEachBatch(in: input.rows, now: now) { run in
                var encoder = encoder.present
                var batch = Batch()
                while try run.advance() {
                    batch.count += 1
                    if isWhole, let encoder, try Self.append(&run, encoder, to: &batch.text) { continue }
                    guard let row = try run.result() else { continue }
                    if encoder == nil { batch.rows.append(row) }
                    try encoder?.append(row, to: &batch.text)
                }
                return batch
            } _: { batch in
                for row in batch.rows { try writer.write(row) }
                try writer.write(encoded: batch.text)
                written += batch.count
                encoder.present = writer.encoder
            }
            guard let rows else { return false }
            try finish(rows)
            return true
        }

        /// Passes on each result as soon as it is known.
        ///
        /// - Parameters:
        ///   - wanted: the query or groups.
        ///   - isShown: true if results go to a terminal, where a progress bar must not appear among them.
        ///   - body: takes each result.
        /// - Throws: what the reader, the query and `body` throw.
        func forEachResult(_ wanted: RowsOrGroups, isShown: Bool, _ body: (Document) throws -> Void) throws {
            input.names.watch(wanted)
            switch wanted {
            case .groups(let grouping):
                var run = try grouping.run(limits: input.limits)
                let paths = try grouping.paths()
                keep(only: paths)
                let reader = try InputReader(input, paths, skipsInvalid: skipsInvalid)
                try reader.forEach { try run.add($0) }
                try reader.finish()
                for group in try run.finish() { try body(group) }
                try tellMissing(reader.count)
            case .rows(let query):
                input.progress.isWanted = !isShown || !query.order.isEmpty
                try forEachMatch(query) { run in
                    if let row = try run.result() { try body(row) }
                }
            }
        }

        private func forEachMatch(_ query: Query, _ body: (inout JSONRun) throws -> Void) throws {
            var run = try query.run(over: input.rows, now: now)
            var faults = RowFaults(input, skipsInvalid: skipsInvalid)
            while query.limit != 0 {
                do throws(QueryError) {
                    guard try run.advance() else { break }
                } catch {
                    if let fault = run.fault { throw faults.placed(fault, line: run.line) }
                    try faults.take(error, isOfRow: run.isRowMalformed, layout: run.layout, line: run.line)
                    continue
                }
                try body(&run)
            }
            try faults.finish(read: run.count)
            if run.cutsTies { Diagnostics.warnOfTies() }
            try tellMissing(run.count)
        }

        /// Reports what there is to say of rows that all cores have read.
        private func finish(_ rows: Int) throws {
            try RowFaults(input, skipsInvalid: skipsInvalid).finish(read: rows)
            try tellMissing(rows)
        }

        /// What a query reads of rows that are only counted.
        private func read(by query: Query) throws -> RowPaths {
            let query = try query.checked()
            var paths = RowPaths()
            let evaluator = RowEvaluator(schema: query.schema, nilMeaning: query.nilMeaning, limits: input.limits)
            _ = try evaluator.compile(query.condition, reading: &paths)
            return paths
        }

        /// Lets the input leave out what is neither read nor looked for.
        private func keep(only paths: RowPaths) {
            guard let keys = paths.outermostKeys else { return }
            input.text.keep(only: keys + input.names.askedKeys)
        }

        /// Reports the names that no row had, if there were rows.
        private func tellMissing(_ rows: Int) throws {
            if rows > 0 { try input.names.tell(input.name, rows, isStrict: isStrict) }
        }

        /// The number of results; no row is kept.
        func count(_ wanted: RowsOrGroups) throws -> Int {
            var count = 0
            switch wanted {
            case .groups: try forEachResult(wanted, isShown: false) { _ in count += 1 }
            case .rows(var query):
                input.names.watch(wanted)
                query = query.ofWholeRows
                query.order = []
                if let paths = try? read(by: query) { keep(only: paths) }
                if let found = try countByCores(query) { return found }
                try forEachMatch(query) { _ in count += 1 }
            }
            return count
        }

        /// The number of results in a large file, counted by all cores.
        ///
        /// - Returns: nil if one core must count, and name the row that is malformed; the input then starts anew.
        private func countByCores(_ query: Query) throws -> Int? {
            guard input.isLarge, query.limit == nil else { return nil }
            let found = try? query.countByCores(in: input.rows, now: now)
            guard let found else {
                try input.startAnew()
                return nil
            }
            try finish(found.rows)
            return found.results
        }

        /// The steps in their order (S21).
        func explain(_ wanted: RowsOrGroups) throws {
            let format =
                switch input.format {
                case .list: "a JSON list"
                case .values: "JSON objects"
                case .cells(let separator): separator == 0x09 ? "TSV" : "CSV"
                case .lines, .database: "one JSON object per line"
                }
            var steps = ["read \(input.name), " + format]
            switch wanted {
            case .rows(let query): steps += query.steps
            case .groups(let grouping): steps += grouping.steps
            }
            for (number, step) in steps.enumerated() {
                try StandardOutput.shared.write(line: "\(number + 1). \(step)")
            }
        }
    }
#endif
