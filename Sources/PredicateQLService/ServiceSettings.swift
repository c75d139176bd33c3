import Foundation
import PredicateQL
import PredicateQLSQLite
import QueryTree
import QueryValues
import StoreModel

/// The owner's settings, stored with the data so that a later start need not repeat them.
///
///     var settings = ServiceSettings()
///     settings.rightsOfCollections["Diary"] = .private
///     settings.document  // → {"rights":"shared","rightsOfCollections":{"Diary":"private"},"delta":"none",…}
public struct ServiceSettings: Hashable, Sendable {
    /// The rights of collections that are not listed by name.
    public var rights = CollectionRights.shared
    /// The rights of collections by name, where they differ.
    public var rightsOfCollections: [String: CollectionRights] = [:]
    /// The collections that support deltas.
    public var deltas = ServiceConfiguration.Deltas.none
    /// Days that a history is kept, 1 to 30.
    public var historyDays = 15
    /// The indexes of collections, as in ``ServiceConfiguration/indexes``.
    public var indexes: [String: [String]] = [:]
    /// True to create indexes for slow queries automatically.
    public var makesIndexes = false
    /// The origins of pages that may call the service; `*` for every origin.
    public var origins: [String] = []
    /// Requests per second and session, 1 to 1,000,000; nil for no limit, not even on log-ins.
    public var requestsPerSecond: Int? = ServiceLimits().requestsPerSecond
    /// True if anyone with the app's key may sign up; otherwise only the owner can add users.
    public var allowsSignUp = true

    /// The documented defaults.
    public init() {}

    private enum Key: String, CaseIterable {
        case rights, rightsOfCollections, delta, historyDays, indexes, autoIndex, origins, rate, signUp
    }

    /// The settings as JSON.
    public var document: Document {
        let delta: QueryValue =
            switch deltas {
            case .none: "none"
            case .all: "all"
            case .named(let names): .list(names.sorted().map(QueryValue.string))
            }
        let rights = rightsOfCollections.sorted { $0.key < $1.key }.map { ($0, QueryValue.string($1.rawValue)) }
        let indexes = indexes.sorted { $0.key < $1.key }.map { ($0, QueryValue.list($1.map(QueryValue.string))) }
        return Document(
            pairs: Key.allCases.map { key in
                let value: QueryValue =
                    switch key {
                    case .rights: .string(self.rights.rawValue)
                    case .rightsOfCollections: .object(Document(pairs: rights))
                    case .delta: delta
                    case .historyDays: .int(Int64(historyDays))
                    case .indexes: .object(Document(pairs: indexes))
                    case .autoIndex: .bool(makesIndexes)
                    case .origins: .list(origins.map(QueryValue.string))
                    case .rate: requestsPerSecond.map { .int(Int64($0)) } ?? "off"
                    case .signUp: .bool(allowsSignUp)
                    }
                return (key.rawValue, value)
            }
        )
    }

    /// Changes the settings that an object names, and leaves the rest.
    ///
    /// Rights and indexes of collections are changed by the collection's name; null removes one.
    ///
    ///     var settings = ServiceSettings()
    ///     try settings.change(["delta": ["Book"]])
    ///     try settings.change(["right": "private"])  // throws argument
    ///
    /// - Parameter document: settings in the form of ``document``.
    /// - Throws: `QueryError` of code `argument` for an unknown setting, for an invalid value, and for one that no request
    ///   would use.
    public mutating func change(_ document: Document) throws(QueryError) { try change(document, isKept: false) }

    /// Takes settings that a database has: earlier versions kept what no request uses.
    package mutating func takeKept(_ document: Document) throws(QueryError) { try change(document, isKept: true) }

    private mutating func change(_ document: Document, isKept: Bool) throws(QueryError) {
        for (name, value) in document.pairs {
            guard let key = Key(rawValue: name) else {
                let names = Key.allCases.map(\.rawValue)
                throw QueryError(
                    .argument,
                    "there is no setting \(name)",
                    path: name,
                    hint: Suggestion.nearest(to: name, among: names).map { "did you mean \($0)?" }
                        ?? "known: " + names.joined(separator: ", ")
                )
            }
            do throws(QueryError) {
                try change(key, value, isKept: isKept)
            } catch {
                throw error.path == nil ? error.at(path: name) : error
            }
        }
    }

    private mutating func change(_ key: Key, _ value: QueryValue, isKept: Bool) throws(QueryError) {
        switch key {
        case .rights: rights = try Self.rights(value)
        case .rightsOfCollections:
            for (name, value) in try Self.object(value) {
                // What is there already may be named, and removed, whatever it is.
                if !isKept, value != .null, rightsOfCollections[name] == nil { try Self.check(collection: name) }
                rightsOfCollections[name] = value == .null ? nil : try Self.rights(value)
            }
        case .delta:
            switch value {
            case "none": deltas = .none
            case "all": deltas = .all
            default:
                let names = try Self.texts(value, "all, none or a list of collections")
                let kept: Set<String> = if case .named(let names) = deltas { names } else { [] }
                if !isKept { for name in names where !kept.contains(name) { try Self.check(collection: name) } }
                deltas = .named(Set(names))
            }
        case .historyDays:
            guard case .int(let days) = value, 1...30 ~= days else { throw Self.wrong("takes a number, 1 to 30") }
            historyDays = Int(days)
        case .indexes:
            for (name, value) in try Self.object(value) {
                let keys = value == .null ? nil : try Self.texts(value, "a list of keys")
                if !isKept, let keys, indexes[name] != keys { try Self.check(keys, of: name) }
                indexes[name] = keys
            }
        case .autoIndex: makesIndexes = try Self.flag(value)
        case .origins:
            let named = try Self.texts(value, "a list of origins")
            if !isKept { for origin in named where !origins.contains(origin) { try Self.check(origin: origin) } }
            origins = named
        case .rate:
            if value == "off" {
                requestsPerSecond = nil
            } else {
                guard case .int(let number) = value, 1...1_000_000 ~= number else {
                    throw Self.wrong("takes a number of requests a second, or off")
                }
                requestsPerSecond = Int(number)
            }
        case .signUp: allowsSignUp = try Self.flag(value)
        }
    }

    private static func rights(_ value: QueryValue) throws(QueryError) -> CollectionRights {
        guard case .string(let text) = value, let rights = CollectionRights(rawValue: text) else {
            throw wrong("must be one of " + CollectionRights.allCases.map(\.rawValue).joined(separator: ", "))
        }
        return rights
    }

    private static func object(_ value: QueryValue) throws(QueryError) -> [(String, QueryValue)] {
        guard case .object(let object) = value else { throw wrong("takes an object of collections") }
        return object.pairs.map { ($0, $1) }
    }

    private static func texts(_ value: QueryValue, _ what: String) throws(QueryError) -> [String] {
        guard case .list(let elements) = value else { throw wrong("takes " + what) }
        var texts: [String] = []
        for element in elements {
            guard case .string(let text) = element else { throw wrong("takes " + what) }
            texts.append(text)
        }
        return texts
    }

    private static func flag(_ value: QueryValue) throws(QueryError) -> Bool {
        guard case .bool(let flag) = value else { throw wrong("takes true or false") }
        return flag
    }

    private static func wrong(_ message: String) -> QueryError { QueryError(.argument, "it " + message) }

    // MARK: Loosening

    /// Lists what these settings open to more people, or delete, compared with others.
    ///
    ///     var closed = ServiceSettings()
    ///     closed.rights = .private
    ///     ServiceSettings().loosened(from: closed)  // → ["rights: shared in place of private"]
    ///
    /// - Parameter before: the current settings.
    /// - Returns: a line for each; empty if nobody may do more and nothing is deleted.
    public func loosened(from before: ServiceSettings) -> [String] {
        var lines: [String] = []
        if rights.openness > before.rights.openness {
            lines.append("rights: \(rights.rawValue) in place of \(before.rights.rawValue)")
        }
        for name in Set(rightsOfCollections.keys).union(before.rightsOfCollections.keys).sorted() {
            let (new, old) = (rightsOfCollections[name] ?? rights, before.rightsOfCollections[name] ?? before.rights)
            if new.openness > old.openness {
                lines.append("rights of \(name): \(new.rawValue) in place of \(old.rawValue)")
            }
        }
        switch (before.deltas, deltas) {
        case (.none, _), (_, .all): break
        case (.all, .none), (.all, .named): lines.append("delta: histories are deleted")
        case (.named(let old), .none):
            lines.append("delta: deletes the history of \(old.sorted().joined(separator: ", "))")
        case (.named(let old), .named(let new)):
            let lost = old.subtracting(new).sorted()
            if !lost.isEmpty { lines.append("delta: deletes the history of " + lost.joined(separator: ", ")) }
        }
        if historyDays < before.historyDays {
            lines.append("historyDays: \(historyDays) in place of \(before.historyDays)")
        }
        if requestsPerSecond == nil, before.requestsPerSecond != nil { lines.append("rate: no bound") }
        if allowsSignUp, !before.allowsSignUp { lines.append("signUp: everybody") }
        for (origin, whose) in [("*", "every page"), ("null", "pages of files and sandboxed frames")] {
            if origins.contains(origin), !before.origins.contains(origin) { lines.append("origins: \(whose)") }
        }
        return lines
    }
}

extension CollectionRights {
    /// How many may do something.
    fileprivate var openness: Int {
        switch self {
        case .closed: 0
        case .private: 1
        case .shared: 2
        case .public: 3
        }
    }
}

extension ServiceConfiguration {
    /// The settings, which are stored with the data.
    ///
    ///     var configuration = ServiceConfiguration(apps: [])
    ///     configuration.settings.deltas = .all
    public var settings: ServiceSettings {
        get {
            var settings = ServiceSettings()
            (settings.rights, settings.rightsOfCollections) = (rights, rightsOfCollections)
            (settings.deltas, settings.historyDays) = (deltas, historyDays)
            (settings.indexes, settings.makesIndexes) = (indexes, makesIndexes)
            (settings.origins, settings.allowsSignUp) = (origins, allowsSignUp)
            settings.requestsPerSecond = limits.requestsPerSecond
            return settings
        }
        set {
            (rights, rightsOfCollections) = (newValue.rights, newValue.rightsOfCollections)
            (deltas, historyDays) = (newValue.deltas, newValue.historyDays)
            (indexes, makesIndexes) = (newValue.indexes, newValue.makesIndexes)
            (origins, allowsSignUp) = (newValue.origins, newValue.allowsSignUp)
            let wasBounded = limits.requestsPerSecond != nil
            limits.requestsPerSecond = newValue.requestsPerSecond
            switch (wasBounded, newValue.requestsPerSecond != nil) {
            case (_, false): (limits.logInsPerMinute, limits.guessesPerMinute) = (nil, nil)
            case (false, true):
                let usual = ServiceLimits()
                (limits.logInsPerMinute, limits.guessesPerMinute) = (usual.logInsPerMinute, usual.guessesPerMinute)
            case (true, true): break
            }
        }
    }
}

// MARK: - Kept with the data

extension Service {
    /// The settings of a database; nil if there is no such file.
    ///
    ///     try Service.settings(path: "/no/such/file.sqlite")  // → nil
    ///
    /// - Parameter path: the database of the service, which may be running.
    /// - Returns: the stored settings; of a database without settings, those of its collections.
    /// - Throws: `QueryError` of code `store` for a file that is not a service's.
    public static func settings(path: String) throws(QueryError) -> ServiceSettings? {
        guard FileManager.default.fileExists(atPath: path) else { return nil }
        return try Connection(path: path, isReadOnly: true).settings()
    }

    /// Stores settings in a database, which is created if it does not exist; a service reads them when it starts.
    ///
    ///     try Service.keep(ServiceSettings(), path: "/no/such/file.sqlite", environment)  // throws store
    ///
    /// - Parameters:
    ///   - settings: the settings.
    ///   - path: the database of the service, which must not be running.
    ///   - environment: randomness for the epoch of a new database.
    /// - Throws: `QueryError` of code `store` if it cannot be written or is not a service's.
    public static func keep(
        _ settings: ServiceSettings,
        path: String,
        _ environment: ServiceEnvironment
    ) throws(QueryError) {
        SQLiteDatabase.makeFile(path)
        let connection = try Connection(path: path, isReadOnly: false)
        _ = try Tables.prepare(connection, environment)
        try connection.keep(settings)
    }
}

extension Connection {
    /// Keeps settings in place of those that were kept.
    func keep(_ settings: ServiceSettings) throws(QueryError) {
        try Tables.set("settings", settings.document.json, self)
    }

    /// The settings that were kept; without any, what the collections have.
    func settings() throws(QueryError) -> ServiceSettings {
        var settings = ServiceSettings()
        let tables = try database.tableNames()
        if tables.isEmpty { return settings }
        guard SQLiteDatabase.areOfService(tables) else {
            throw QueryError(.store, "it is not the database of a service")
        }
        if let text = try Tables.value("settings", self) {
            guard case .object(let document) = try QueryValue(json: text) else {
                throw QueryError(.store, "the settings of the database have an unknown form")
            }
            try settings.takeKept(document)
            return settings
        }
        var withHistory: Set<String> = []
        for row in try database.rows("SELECT name, rights, keepsHistory FROM collection") {
            guard case .string(let name)? = row["name"], case .string(let text)? = row["rights"],
                let rights = CollectionRights(rawValue: text)
            else { continue }
            if rights != settings.rights { settings.rightsOfCollections[name] = rights }
            if row["keepsHistory"] == .int(1) { withHistory.insert(name) }
        }
        if !withHistory.isEmpty { settings.deltas = .named(withHistory) }
        return settings
    }
}
