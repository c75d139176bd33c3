import Foundation
import PredicateQL
import QueryValues
import StoreModel

/// The numbers of users and entities of an exported or imported app.
///
///     MovedApp(users: 2, collections: ["Book": 5]).entities  // → 5
public struct MovedApp: Hashable, Sendable {
    /// The number of its users.
    public var users: Int
    /// The number of entities of each collection.
    public var collections: [String: Int]
    /// The number of those that came with times later than now, in whose place they have now.
    public var later = 0

    /// The numbers of an app; none had times later than now.
    ///
    /// - Parameters:
    ///   - users: the number of its users.
    ///   - collections: the number of entities of each collection.
    public init(users: Int = 0, collections: [String: Int] = [:]) {
        (self.users, self.collections) = (users, collections)
    }

    /// The number of its entities.
    ///
    ///     MovedApp().entities  // → 0
    ///
    /// - Complexity: O(collections).
    public var entities: Int { collections.values.reduce(0, +) }
}

/// A folder of an app: `app.json`, `_users.ndjson`, and a file of each collection.
///
/// No name of a collection begins with `_`, so that there is room for one that is named `users`.
struct AppFolder {
    /// The form of the files; another one is not read.
    static let format: QueryValue = 1
    static let facts = "app.json"
    static let users = "_users.ndjson"
    static let ending = ".ndjson"

    let path: String

    init(_ path: String) {
        self.path = path.count > 1 && path.hasSuffix("/") ? String(path.dropLast()) : path
    }

    /// The path of a file.
    func file(_ name: String) -> String { path + "/" + name }

    /// The names of its files but hidden ones, in order; nil if it is no folder.
    var names: [String]? {
        (try? FileManager.default.contentsOfDirectory(atPath: path))?.filter { !$0.hasPrefix(".") }.sorted()
    }

    /// Refuses a file that no part of an app is in, which would be left out.
    func refusal(of name: String) -> QueryError {
        let plain = name.hasSuffix(".gz") ? String(name.dropLast(3)) : name
        let ending = plain.lastIndex(of: ".").map { plain[$0...] } ?? ""
        let hint =
            switch ending {
            case Self.ending: "unpack it: gunzip \(name)"
            case ".json", ".csv", ".tsv", ".jsonl":
                "make lines of it: pql run \(name) -o \(plain.dropLast(ending.count))\(Self.ending); then move it away"
            default: "move it away"
            }
        return QueryError(
            .store,
            "\(path) holds \(name), and an app is in \(Self.facts), \(Self.users) and NAME\(Self.ending)",
            hint: hint
        )
    }
}

/// Writes a new file, which only its owner reads.
struct NewFile {
    private let path: String
    private let handle: FileHandle
    private var waiting: [UInt8] = []

    init(_ path: String) throws(QueryError) {
        self.path = path
        let files = FileManager.default
        // Where capitals make no difference, two collections have one file.
        guard !files.fileExists(atPath: path) else { throw QueryError(.store, "\(path) exists already") }
        guard files.createFile(atPath: path, contents: nil, attributes: [.posixPermissions: 0o600]),
            let handle = FileHandle(forWritingAtPath: path)
        else { throw QueryError(.store, "cannot write \(path)") }
        self.handle = handle
    }

    /// Adds a line.
    mutating func write(_ line: [UInt8]) throws(QueryError) {
        waiting += line
        waiting.append(UInt8(ascii: "\n"))
        if waiting.count >= 1 << 20 { try flush() }
    }

    /// Ends the file when its bytes are on the disk.
    mutating func close() throws(QueryError) {
        try flush()
        try told {
            try handle.synchronize()
            try handle.close()
        }
    }

    private mutating func flush() throws(QueryError) {
        let bytes = Data(waiting)
        waiting.removeAll(keepingCapacity: true)
        try told { try handle.write(contentsOf: bytes) }
    }

    private func told(_ body: () throws -> Void) throws(QueryError) {
        do {
            try body()
        } catch {
            throw QueryError(.store, "cannot write \(path): \(error.localizedDescription)")
        }
    }
}

/// Reads a file line by line.
struct FileLines {
    /// The number of the line that was read last.
    private(set) var number = 0
    private let name: String
    private let handle: FileHandle
    private var buffer: [UInt8] = []
    private var start = 0
    private var isAtEnd = false

    /// No line is longer.
    private static let mostBytes = 16 << 20

    /// - Parameters:
    ///   - path: the file.
    ///   - name: its name in errors.
    /// - Throws: `QueryError` of code `store` if it cannot be read.
    init(_ path: String, named name: String) throws(QueryError) {
        guard let handle = FileHandle(forReadingAtPath: path) else {
            throw QueryError(.store, "\(name) cannot be read")
        }
        (self.handle, self.name) = (handle, name)
    }

    /// The next line that is not blank; nil at the end.
    mutating func next() throws(QueryError) -> [UInt8]? {
        while var line = try nextLine() {
            if number == 1, line.starts(with: Exchange.byteOrderMark) { line.removeFirst(3) }
            if !line.allSatisfy({ [0x20, 0x09, 0x0D].contains($0) }) { return Array(line) }
        }
        return nil
    }

    private mutating func nextLine() throws(QueryError) -> ArraySlice<UInt8>? {
        number += 1
        while true {
            if let end = buffer[start...].firstIndex(of: UInt8(ascii: "\n")) {
                defer { start = end + 1 }
                return buffer[start..<end]
            }
            if isAtEnd {
                defer { start = buffer.count }
                return start == buffer.count ? nil : buffer[start...]
            }
            guard buffer.count - start <= Self.mostBytes else { throw error("the line is too long") }
            buffer.removeFirst(start)
            start = 0
            do {
                let more = try handle.read(upToCount: 1 << 20) ?? Data()
                isAtEnd = more.isEmpty
                buffer += more
            } catch {
                throw self.error("cannot be read: \(error.localizedDescription)")
            }
        }
    }

    /// An error in the line that was read last.
    func error(_ message: String) -> QueryError { QueryError(.store, "\(name):\(number): \(message)") }
}
