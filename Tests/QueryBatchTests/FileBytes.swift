import Foundation

/// A file that a test makes and removes.
struct FileBytes {
    let path: String

    static func temporary(_ name: String) -> FileBytes {
        let folder = FileManager.default.temporaryDirectory
        return FileBytes(path: folder.appendingPathComponent(UUID().uuidString + name).path)
    }

    func bytes() throws -> [UInt8] { Array(try Data(contentsOf: URL(fileURLWithPath: path))) }

    func remove() {
        for end in ["", "-wal", "-shm"] { try? FileManager.default.removeItem(atPath: path + end) }
    }
}
