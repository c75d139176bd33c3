import PredicateQL

extension Checks {
    /// Any bytes give a query or an error with its JSON path; what is read is written as a filter that reads the same.
    ///
    /// - Parameter bytes: what the fuzzer made.
    public static func mongoReader(_ bytes: [UInt8]) {
        for assumptions in [nil, [Assumption]()] {
            do {
                let reading = try MongoReading(of: bytes, assuming: assumptions)
                checkAgain(reading.query, bytes)
            } catch {
                requireSound(error, in: String(decoding: bytes, as: UTF8.self))
                require(error.path?.hasPrefix("$") == true, "no path: \(error)")
            }
        }
    }
}

/// Written and read, the query is written and read as itself.
private func checkAgain(_ query: Query, _ bytes: [UInt8]) {
    for isGuarded in [false, true] {
        guard let mongo = try? query.mongo(guarded: isGuarded, now: 0) else { continue }
        let text = "\(String(decoding: bytes, as: UTF8.self))\n\(query.format)\n\(mongo.json)"
        guard let once = read(mongo, query.nilMeaning, text) else { continue }
        guard let again = try? once.mongo(guarded: isGuarded, now: 0) else {
            fatalError("\(text)\nreads \(once.format)\nwhich is not written")
        }
        guard let twice = read(again, query.nilMeaning, text) else { continue }
        require(once.condition == twice.condition, "\(text)\nreads \(once.format)\nand then \(twice.format)")
    }
}

/// What was written reads again, unless it is too deep for a query.
private func read(_ mongo: MongoQuery, _ nilMeaning: NilMeaning, _ text: String) -> Query? {
    do {
        return try Query(mongo: mongo, nilMeaning: nilMeaning)
    } catch {
        require(error.code == .limit, "\(text)\nis not read: \(error.code) \(error.message) \(error.path ?? "")")
        return nil
    }
}
