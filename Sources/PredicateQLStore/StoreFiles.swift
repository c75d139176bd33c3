import PredicateQL

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// The few files beside the caches.
enum StoreFiles {
    static func makeFolder(_ path: String) throws(StoreError) {
        do {
            try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
        } catch {
            throw .cache(QueryError(.store, "cannot create the folder \(path): \(reason(error))"))
        }
    }

    /// What a system's error means, in words.
    private static func reason(_ error: any Error) -> String {
        switch (error as? CocoaError)?.code {
        case .fileWriteNoPermission?, .fileReadNoPermission?: "the app has no permission to write there"
        case .fileWriteFileExists?: "a file of that name is in its place"
        case .fileWriteOutOfSpace?: "the disk is full"
        case .fileWriteVolumeReadOnly?: "the disk can only be read"
        default: "a part of the path is a file, or is missing"
        }
    }

    static func read(_ path: String) -> String? {
        FileManager.default.contents(atPath: path).map { String(decoding: $0, as: UTF8.self) }
    }

    /// Writes a file that only its owner may read, whole or not at all.
    static func write(_ text: String, to path: String) throws(StoreError) {
        let new = path + ".new"
        let isMade = FileManager.default.createFile(
            atPath: new,
            contents: Data(text.utf8),
            attributes: [.posixPermissions: 0o600]
        )
        do {
            guard isMade else { throw CocoaError(.fileWriteUnknown) }
            if FileManager.default.fileExists(atPath: path) { try FileManager.default.removeItem(atPath: path) }
            try FileManager.default.moveItem(atPath: new, toPath: path)
        } catch {
            throw .cache(QueryError(.store, "the session cannot be written: \(error)"))
        }
    }

    static func remove(_ path: String) throws(StoreError) {
        guard FileManager.default.fileExists(atPath: path) else { return }
        do {
            try FileManager.default.removeItem(atPath: path)
        } catch {
            throw .cache(QueryError(.store, "the session cannot be removed: \(error)"))
        }
    }

    /// Makes an empty file that only its owner may read, where there is none; SQLite's files beside it are like it.
    static func makeOwn(_ path: String) {
        guard path != ":memory:", !exists(path) else { return }
        let (files, new) = (FileManager.default, path + ".new")
        _ = files.createFile(atPath: new, contents: nil, attributes: [.posixPermissions: 0o600])
        // What another process has made meanwhile is not replaced.
        try? files.linkItem(atPath: new, toPath: path)
        try? files.removeItem(atPath: new)
    }

    /// Moves a file and what SQLite keeps beside it.
    static func move(_ path: String, to other: String) throws(QueryError) {
        for suffix in ["", "-wal", "-shm"] where FileManager.default.fileExists(atPath: path + suffix) {
            do {
                try FileManager.default.moveItem(atPath: path + suffix, toPath: other + suffix)
            } catch {
                throw QueryError(.store, "the file cannot be set aside: \(error)")
            }
        }
    }

    static func exists(_ path: String) -> Bool { FileManager.default.fileExists(atPath: path) }

    /// True if a database is to be checked before it is used: the last process that had it open did not close it, for
    /// then its log is there, or found damage in it.
    static func isDoubtful(_ path: String) -> Bool { exists(path + "-wal") || exists(path + doubt) }

    /// Notes that damage was found in a database, or that it was checked.
    ///
    /// Without the note it is checked after the next unclean end; nothing else depends on it.
    static func setDoubtful(_ path: String, _ isDoubtful: Bool) {
        if isDoubtful {
            _ = FileManager.default.createFile(atPath: path + doubt, contents: nil)
        } else if exists(path + doubt) {
            try? FileManager.default.removeItem(atPath: path + doubt)
        }
    }

    private static let doubt = "-damaged"
}
