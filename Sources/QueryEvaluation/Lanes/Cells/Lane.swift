import QueryValues

/// A column of cells in memory: the address of the first one and their distance.
///
/// In an array of structs the stride is the struct's, in an array of values the value's own. The ``CellKind`` of the
/// lane's field gives the type of the cells; a lane gives only their addresses.
///
/// A lane borrows memory: its creator keeps that memory valid and unchanged while the lane is used.
package struct Lane: @unchecked Sendable {
    /// The first cell of the batch.
    package var base: UnsafeRawPointer
    /// Bytes from one cell to the next.
    package var stride: Int
    /// One bit per row, the first row in the lowest bit: set if there is a value.
    ///
    /// Nil if every cell has a value or marks its own absence.
    package var validity: UnsafePointer<UInt64>?

    package init(base: UnsafeRawPointer, stride: Int, validity: UnsafePointer<UInt64>? = nil) {
        self.base = base
        self.stride = stride
        self.validity = validity
    }

    /// The cell of a row of the batch.
    @inline(__always)
    package func cell(_ row: Int) -> UnsafeRawPointer { base + row &* stride }

    /// True if the validity bitmap marks the row as valid.
    @inline(__always)
    package func isValid(_ row: Int) -> Bool {
        guard let validity else { return true }
        return validity[row >> 6] >> UInt64(row & 63) & 1 == 1
    }
}

/// Rows that are processed together: their number and a lane for every field that the plan reads.
package struct Batch {
    /// The number of rows, at most ``most``.
    package var count: Int
    /// By the plan's field numbers.
    package var lanes: UnsafeMutablePointer<Lane>

    /// The maximum number of rows in a batch; a multiple of 64.
    package static let most = 1_024

    package init(count: Int, lanes: UnsafeMutablePointer<Lane>) {
        self.count = count
        self.lanes = lanes
    }

    /// The number of 64-bit words of a selection of the batch.
    @inline(__always)
    package var words: Int { (count &+ 63) >> 6 }

    /// Tests the active rows one by one and marks those that pass.
    @inline(__always)
    func mark(
        _ active: UnsafePointer<UInt64>,
        in found: UnsafeMutablePointer<UInt64>,
        where passes: (Int) -> Bool
    ) {
        for word in 0..<words {
            var passed: UInt64 = 0
            var rest = active[word]
            while rest != 0 {
                let bit = rest.trailingZeroBitCount
                rest &= rest &- 1
                passed |= (passes(word << 6 | bit) ? 1 : 0) << UInt64(bit)
            }
            found[word] = passed
        }
    }
}

/// A set of rows of a batch, one bit each; the first row is the lowest bit of the first word.
///
/// Bits past the last row are zero.
package struct SelectionVector {
    package private(set) var words: ContiguousArray<UInt64>
    package let count: Int

    /// All rows of a batch, or none.
    package init(count: Int, all: Bool = false) {
        self.count = count
        words = ContiguousArray(repeating: 0, count: (count + 63) >> 6)
        if all { words.withUnsafeMutableBufferPointer { Self.fill($0, count) } }
    }

    /// Marks the first rows of a batch.
    package static func fill(_ words: UnsafeMutableBufferPointer<UInt64>, _ count: Int) {
        for index in words.indices {
            let rest = count - index << 6
            words[index] = rest >= 64 ? .max : rest <= 0 ? 0 : (1 << UInt64(rest)) &- 1
        }
    }

    mutating func setWord(_ index: Int, _ word: UInt64) { words[index] = word }

    /// The number of rows in the set.
    package var population: Int { words.reduce(0) { $0 &+ $1.nonzeroBitCount } }

    /// Calls a closure with every row in the set, ascending.
    @inline(__always)
    package func forEach(_ body: (Int) -> Void) {
        for (index, word) in words.enumerated() {
            var rest = word
            while rest != 0 {
                body(index << 6 | rest.trailingZeroBitCount)
                rest &= rest &- 1
            }
        }
    }

    @inline(__always)
    package mutating func withWords<Result>(
        _ body: (UnsafeMutableBufferPointer<UInt64>) throws(QueryError) -> Result
    ) throws(QueryError) -> Result {
        // The closure of `withUnsafeMutableBufferPointer` cannot throw typed errors here, so the outcome is returned.
        let outcome = words.withUnsafeMutableBufferPointer { buffer -> Swift.Result<Result, QueryError> in
            do throws(QueryError) { return .success(try body(buffer)) } catch { return .failure(error) }
        }
        return try outcome.get()
    }
}
