#if CLI
    import ArgumentParser
    import PredicateQL

    extension Translate {
        /// The operation on the documents.
        enum Action: String, ExpressibleByArgument, CaseIterable {
            case find, count, changes, removal, removalOfAll
        }

        /// Options for requests, and for what can be split.
        func validateRequest() throws {
            guard to == .rest || (action == nil && since == nil && !pages) else {
                throw ValidationError("--action, --since and --pages belong to --to rest.")
            }
            guard (action == .changes) == (since != nil) else {
                throw ValidationError("--action changes and --since go together.")
            }
            if pages, action ?? .find != .find || pipeline.limit == nil {
                throw ValidationError("--pages needs --limit, and pages support only find.")
            }
            if split, ![.mongo, .pipeline, .rest].contains(to) || pages || action == .count {
                throw ValidationError("--split belongs to --to mongo, pipeline and rest, without --pages and counts.")
            }
            if functions, to.dialect?.functionDefinitions.isEmpty ?? true {
                throw ValidationError("--functions belongs to --to postgresql and duckdb.")
            }
            if canonical, ![.mongo, .pipeline, .all].contains(to) {
                throw ValidationError("--canonical belongs to --to mongo and pipeline.")
            }
        }

        /// The action of the options.
        private func restAction() throws -> RESTAction {
            switch action ?? .find {
            case .find: return .find
            case .count: return .count
            case .removal: return .removal
            case .removalOfAll: return .removalOfAll
            case .changes:
                guard let instant = DateText.parse(since ?? "") else {
                    throw QueryError(.argument, "--since takes an ISO 8601 date", path: "since")
                }
                return .changes(since: instant)
            }
        }

        /// One request, or those of all pages.
        func requests(_ wanted: RowsOrGroups) throws -> any Sequence<RESTRequest> {
            switch wanted {
            case .groups(let grouping):
                guard action ?? .find == .find, !pages else {
                    throw QueryError(.pipeline, "groups support only find", hint: "remove --action and --pages")
                }
                return [try request(grouping)]
            case .rows(let query) where pages: return try query.restPages(service, guarded: guarded)
            case .rows(let query): return [try query.rest(service, restAction(), guarded: guarded)]
            }
        }

        /// The part that the service supports, and the part left for memory.
        func writeHalves(_ wanted: RowsOrGroups) throws {
            guard case .rows(let query) = wanted else {
                throw QueryError(.pipeline, "groups cannot be split", hint: "remove --split")
            }
            let halves = try query.split(for: service, guarded: guarded)
            if action == .removal || action == .removalOfAll, halves.memory != nil {
                throw QueryError(.unsupported, "a removal cannot be finished in memory", hint: "find, then remove")
            }
            try write(.rows(halves.store))
            guard let memory = halves.memory else { return }
            for line in memory.lines { try StandardOutput.shared.write(line: "-- in memory: " + line) }
        }

        /// The service that the JSON is for; requests use the one whose form they have.
        var service: MongoProfile {
            if let profile { return profile.profile }
            switch to {
            case .rest, .group: return .kinvey
            case .mongo, .pipeline, .sqlite, .postgresql, .duckdb, .format, .tree, .all: return .mongoDB
            }
        }

        /// A query or groups as aggregation stages.
        func stages(_ wanted: RowsOrGroups) throws(QueryError) -> MongoPipeline {
            switch wanted {
            case .rows(let query): try query.mongoPipeline(service, guarded: guarded)
            case .groups(let grouping): try grouping.mongo(service, guarded: guarded)
            }
        }

        /// Groups as a request.
        func groupRequest(_ wanted: RowsOrGroups) throws(QueryError) -> RESTRequest {
            guard case .groups(let grouping) = wanted else {
                throw QueryError(.pipeline, "a group request needs groups", hint: "give --group-by or --compute")
            }
            return try request(grouping)
        }

        /// The request, after a note of what it does not say.
        private func request(_ grouping: Grouping) throws(QueryError) -> RESTRequest {
            let request = try grouping.rest(service, guarded: guarded)
            let query = grouping.query
            var left: [String] = []
            if let having = grouping.having { left.append("having " + having.format) }
            if !query.order.isEmpty { left.append("sort " + query.order.map(\.description).joined(separator: ", ")) }
            if let skip = query.skip { left.append("skip \(skip)") }
            if let limit = query.limit { left.append("limit \(limit)") }
            if !left.isEmpty {
                Diagnostics.note("left for the caller, on the groups of the answer: " + left.joined(separator: "; "))
            }
            return request
        }

        /// The URLs' queries, or the bodies of requests that have one.
        ///
        /// Actions other than find include verb and path. Warnings and assumptions go to standard error, each once.
        func write(_ requests: any Sequence<RESTRequest>) throws {
            var notes: [String] = []
            for request in requests {
                let items = request.items.isEmpty ? "" : "?" + request.query
                let call = request.method.rawValue + " " + request.path + items
                let line = request.bodyText ?? (action ?? .find == .find ? request.query : call)
                try StandardOutput.shared.write(line: line)
                let more = request.warnings.map { "warning: " + $0 } + Assumption.notes(request.assumptions)
                for note in more where !notes.contains(note) { notes.append(note) }
            }
            notes.forEach(Diagnostics.note)
        }
    }
#endif
