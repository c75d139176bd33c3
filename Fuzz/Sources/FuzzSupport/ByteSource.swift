/// Bytes of a fuzzer as a row of choices; when they run out every choice is the first.
public struct ByteSource {
    private var bytes: ArraySlice<UInt8>

    /// Choices from bytes.
    ///
    /// - Parameter bytes: any bytes.
    public init(_ bytes: some Sequence<UInt8>) {
        self.bytes = Array(bytes)[...]
    }

    /// True when no byte is left.
    public var isEmpty: Bool { bytes.isEmpty }

    /// The next byte, 0 at the end.
    ///
    /// - Returns: the byte.
    public mutating func byte() -> UInt8 { bytes.popFirst() ?? 0 }

    /// A number below a bound.
    ///
    /// - Parameter bound: from 1 to 256.
    /// - Returns: the number.
    public mutating func below(_ bound: Int) -> Int { Int(byte()) % max(1, bound) }

    /// One of some choices.
    ///
    /// - Parameter choices: at least one.
    /// - Returns: the choice.
    public mutating func pick<Choice>(_ choices: [Choice]) -> Choice { choices[below(choices.count)] }

    /// Text of up to some bytes, well formed.
    ///
    /// - Parameter length: the most bytes.
    /// - Returns: the text.
    public mutating func text(_ length: Int) -> String {
        let count = below(length + 1)
        let piece = bytes.prefix(count)
        bytes = bytes.dropFirst(count)
        return String(decoding: piece, as: UTF8.self)
    }

    /// The rest as text.
    ///
    /// - Returns: the text.
    public mutating func rest() -> String {
        defer { bytes = [] }
        return String(decoding: bytes, as: UTF8.self)
    }
}
