import Dispatch
import QueryEvaluation
import QueryTree
import QueryValues

/// The lines of a text, of which several workers each take the next whole ones.
///
/// Only one worker at a time reads the text, under the lock.
final class SharedLines: @unchecked Sendable {
    /// More than most machines have cores; those that start when all lines are taken do nothing.
    static let mostWorkers = 32

    private let lock = DispatchSemaphore(value: 1)
    private var text: ByteStream
    private let mostBytes: Int
    private var isAtStart = true
    private var isDone = false
    private var isStopped = false
    private var taken = 0

    /// The lines of rows; nil for a list.
    ///
    /// - Throws: what the text's source throws.
    init?(_ rows: JSONRows) throws(QueryError) {
        text = try rows.makeStream()
        mostBytes = rows.limits.rowBytes
        if rows.layout == nil, try text.beginsList() { return nil }
    }

    /// True when all lines are taken.
    var isOver: Bool { locked { isDone } }
    /// True if a worker met an error.
    var isBroken: Bool { locked { isStopped } }

    /// Ends the work of all.
    func stop() { locked { (isDone, isStopped) = (true, true) } }

    /// A stream of the lines that one worker takes.
    func stream(_ piece: Int) -> ByteStream {
        // The rest of a line that is longer than a piece.
        var rest: ArraySlice<UInt8> = []
        return ByteStream(chunk: piece) { [self] (buffer) throws(QueryError) in
            if rest.isEmpty {
                let count = try take(into: buffer) { rest = $0[...] }
                if rest.isEmpty { return count }
            }
            let part = rest.prefix(buffer.count)
            buffer.copyBytes(from: part)
            rest = rest.dropFirst(part.count)
            return part.count
        }
    }

    /// The next whole lines and the number of the piece.
    ///
    /// - Parameter bytes: the approximate number to take.
    /// - Returns: nil after the last, and after an error.
    func next(about bytes: Int) -> (number: Int, lines: [UInt8])? {
        lock.wait()
        defer { lock.signal() }
        if isDone { return nil }
        let lines = (try? text.lines(about: bytes, within: mostBytes)) ?? nil
        guard let lines, isAtStart || !lines.starts(with: ByteStream.byteOrderMark) else {
            (isDone, isStopped) = (true, true)
            return nil
        }
        isAtStart = false
        isDone = lines.isEmpty
        if isDone { return nil }
        defer { taken += 1 }
        return (taken, lines)
    }

    /// Copies the next lines, or passes on one that is longer than the buffer.
    private func take(
        into buffer: UnsafeMutableRawBufferPointer,
        long: ([UInt8]) -> Void
    ) throws(QueryError) -> Int {
        lock.wait()
        defer { lock.signal() }
        if isDone { return 0 }
        do throws(QueryError) {
            var count = try text.takeLines(into: buffer)
            var isFit = isAtStart || !buffer.prefix(count ?? 0).starts(with: ByteStream.byteOrderMark)
            if count == nil {
                let line = try text.lines(about: 2 * buffer.count, within: mostBytes)
                isFit = line.map { isAtStart || !$0.starts(with: ByteStream.byteOrderMark) } ?? false
                long(line ?? [])
            }
            // Before the first line the mark is ignored, before any other it is an error.
            if !isFit { (count, isStopped) = (0, true) }
            isAtStart = false
            isDone = count == 0
            return count ?? 0
        } catch {
            (isDone, isStopped) = (true, true)
            throw error
        }
    }

    private func locked<Value>(_ body: () -> Value) -> Value {
        lock.wait()
        defer { lock.signal() }
        return body()
    }
}

extension ByteStream {
    /// The next whole lines, at least one.
    ///
    /// - Parameters:
    ///   - bytes: the approximate number to take.
    ///   - most: the bound on a line.
    /// - Returns: the lines, empty after the last; nil for a line that is too long.
    /// - Throws: what the source throws.
    mutating func lines(about bytes: Int, within most: Int) throws(QueryError) -> [UInt8]? {
        var room = max(bytes, 16)
        while true {
            var lines = [UInt8](repeating: 0, count: room)
            let taken = try lines.withUnsafeMutableBufferPointer { (buffer) throws(QueryError) in
                try takeLines(into: UnsafeMutableRawBufferPointer(buffer))
            }
            if let taken {
                lines.removeSubrange(taken...)
                return lines
            }
            if room / 2 > most { return nil }
            room *= 2
        }
    }
}

/// What is made of the pieces of a text, by all cores, passed on in the order of the pieces.
///
/// Workers run on the system's threads, if any are free; whoever takes the pieces makes them too while the next one is
/// not there. So callers that have taken all threads do not wait for another.
final class OrderedPieces<Value: Sendable>: @unchecked Sendable {
    /// Pieces of each core that are made, or wait, before the next one is passed on.
    private static var each: Int { 4 }

    private let make: @Sendable () -> (number: Int, value: Value)?
    private let lock = DispatchSemaphore(value: 1)
    private let room = DispatchSemaphore(value: 0)
    private let news = DispatchSemaphore(value: 0)
    private let ended = DispatchSemaphore(value: 0)
    private var waiting: [Int: Value] = [:]
    private var passed = 0
    private var making = 0
    private var workers = 0
    private var isRunning = false
    private var isExhausted = false
    private var isAbandoned = false

    /// Starts workers, as many as there are cores at a time.
    ///
    /// - Parameter make: makes the next piece, and returns it with its number; nil if there are no more, or if it cannot be
    ///   made.
    init(_ make: @escaping @Sendable () -> (number: Int, value: Value)?) {
        self.make = make
        DispatchQueue.global().async { [self] in
            let isWanted = locked {
                isRunning = !isAbandoned
                return isRunning
            }
            if !isWanted { return }
            DispatchQueue.concurrentPerform(iterations: SharedLines.mostWorkers) { _ in
                if locked({ isExhausted }) { return }
                // Workers have small stacks; conditions and rows may be deep.
                StackRoom.onLargeStack(work)
            }
            ended.signal()
        }
    }

    private func work() {
        locked { workers += 1 }
        for _ in 0..<Self.each { room.signal() }
        while true {
            room.wait()
            if locked({ isAbandoned || isExhausted }) { break }
            makePiece()
        }
        room.signal()
    }

    private func makePiece() {
        locked { making += 1 }
        let piece = make()
        locked {
            making -= 1
            if let piece { waiting[piece.number] = piece.value } else { isExhausted = true }
        }
        news.signal()
    }

    /// The next piece in order, as soon as it is made; nil after the last one before the end or an error.
    func next() -> Value? {
        while true {
            let (value, isLast, mayMake) = locked {
                let mayMake = !isExhausted && waiting.count < Self.each * (workers + 1)
                return (waiting.removeValue(forKey: passed), isExhausted && making == 0, mayMake)
            }
            if let value {
                passed += 1
                room.signal()
                return value
            }
            if isLast { return nil }
            if mayMake { StackRoom.onLargeStack(makePiece) } else { news.wait() }
        }
    }

    /// Lets the workers end, and waits for those that have begun.
    func end() {
        let isRunning = locked {
            isAbandoned = true
            return self.isRunning
        }
        room.signal()
        if isRunning { ended.wait() }
    }

    private func locked<Result>(_ body: () -> Result) -> Result {
        lock.wait()
        defer { lock.signal() }
        return body()
    }
}
