#if CLI
    import PredicateQL

    extension Translate {
        /// The service that the JSON is for; requests are for the one whose form they have.
        var service: MongoProfile {
            if let profile { return profile.profile }
            switch to {
            case .rest, .group: return .kinvey
            case .mongo, .pipeline, .sqlite, .format, .tree, .all: return .mongoDB
            }
        }

        /// A query or groups as aggregation stages.
        func stages(_ question: Question) throws(QueryError) -> MongoPipeline {
            switch question {
            case .rows(let query): try query.mongoPipeline(service, guarded: guarded)
            case .groups(let grouping): try grouping.mongo(service, guarded: guarded)
            }
        }

        /// A query or groups as a request.
        func request(_ question: Question) throws(QueryError) -> RESTRequest {
            switch question {
            case .rows(let query): try query.rest(service, guarded: guarded)
            case .groups(let grouping): try grouping.rest(service, guarded: guarded)
            }
        }

        /// Groups as a request.
        func groupRequest(_ question: Question) throws(QueryError) -> RESTRequest {
            guard case .groups = question else {
                throw QueryError(.pipeline, "a group request needs groups", hint: "give --group-by or --compute")
            }
            return try request(question)
        }

        /// The URL's query, or the body of a request that has one; warnings go to standard error.
        func write(_ request: RESTRequest) throws {
            try StandardOutput.shared.write(line: request.bodyText ?? request.query)
            for warning in request.warnings { Diagnostics.note("warning: " + warning) }
        }
    }
#endif
