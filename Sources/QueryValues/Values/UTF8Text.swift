// Strings compare by their bytes (S4); Swift's own `==` and `<` follow canonical equivalence. Uses `memcmp` if the
// storage is contiguous, as in every native string.

extension String {
    /// True when both strings have the same UTF-8 bytes (S4).
    @inlinable
    package func hasSameUTF8(as other: String) -> Bool {
        #if _pointerBitWidth(_64)
            // Equal 16-byte representations mean equal text: short text is stored inline, longer text behind an
            // address.
            if unsafeBitCast(self, to: SIMD2<UInt64>.self) == unsafeBitCast(other, to: SIMD2<UInt64>.self) {
                return true
            }
        #endif
        return utf8.count == other.utf8.count && utf8.elementsEqual(other.utf8)
    }

    /// True when this string's UTF-8 bytes come before the other's (S4).
    @inlinable
    package func precedesInUTF8(_ other: String) -> Bool {
        utf8.lexicographicallyPrecedes(other.utf8)
    }

    /// The text after its first bytes, even if a combining mark after them makes one character of both.
    ///
    /// - Parameter count: bytes that end where a scalar ends.
    /// - Returns: the rest.
    package func droppingBytes(_ count: Int) -> String { String(Substring(utf8.dropFirst(count))) }

    @inlinable
    package func hashUTF8(into hasher: inout Hasher) {
        hasher.combine(utf8.count)
        let done: Void? = utf8.withContiguousStorageIfAvailable { hasher.combine(bytes: UnsafeRawBufferPointer($0)) }
        if done == nil { for byte in utf8 { hasher.combine(byte) } }
    }
}

extension [String] {
    package func hasSameUTF8(as other: [String]) -> Bool {
        count == other.count && zip(self, other).allSatisfy { $0.hasSameUTF8(as: $1) }
    }
}

/// A dictionary key that compares by UTF-8 bytes.
package struct UTF8Key: Hashable, Sendable {
    package var text: String

    package init(_ text: String) {
        self.text = text
    }

    package static func == (left: UTF8Key, right: UTF8Key) -> Bool {
        left.text.hasSameUTF8(as: right.text)
    }

    package func hash(into hasher: inout Hasher) {
        text.hashUTF8(into: &hasher)
    }
}
