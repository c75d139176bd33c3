import QueryValues

extension JSONPathReader {
    /// The truth of a condition for the last row.
    ///
    /// - Parameters:
    ///   - program: compiled for the paths.
    ///   - frame: of the program.
    /// - Returns: whether it holds.
    /// - Throws: as ``ConditionProgram/holds(_:_:)``.
    package mutating func holds(_ program: ConditionProgram, _ frame: inout RowFrame) throws(QueryError) -> Bool {
        try holds { (row) throws(QueryError) in try program.holds(row, &frame) }
    }
}
