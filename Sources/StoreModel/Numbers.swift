extension Int {
    /// The sum of two numbers from 0 on, the greatest number where it is greater.
    package func saturatingSum(_ other: Int) -> Int {
        let (sum, isTooLarge) = addingReportingOverflow(other)
        return isTooLarge ? .max : sum
    }
}

extension Duration {
    /// Whole milliseconds.
    package var milliseconds: Int64 { components.seconds &* 1_000 &+ components.attoseconds / 1_000_000_000_000_000 }
}
