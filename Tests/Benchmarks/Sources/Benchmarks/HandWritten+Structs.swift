import Foundation
import PredicateQL

/// The 20 predicates over structs, written by hand for speed.
enum StructTests {
    /// An address instead of a borrowed parameter, for which the compiler would copy the whole row with all its
    /// retains.
    typealias Borrowed = @Sendable (UnsafePointer<Person>) -> Bool

    /// As a function value that borrows its row: the baseline.
    static let borrowed: [String: Borrowed] = [
        "P01": { $0.pointee.age > 42 },
        "P02": { $0.pointee.city == "Kyoto" },
        "P03": { $0.pointee.name.utf8.starts(with: "Mar".utf8) },
        "P04": { contains($0.pointee.name, "son") },
        "P05": { $0.pointee.age >= 30 && $0.pointee.active && $0.pointee.score < 50 },
        "P06": { $0.pointee.city == "Kyoto" || $0.pointee.age < 5 || $0.pointee.score > 99 },
        "P07": { $0.pointee.nickname == nil },
        "P08": { $0.pointee.tags.count > 2 },
        "P09": { $0.pointee.age * 2 + 10 > 100 },
        "P10": { foldedHasPrefixMar($0.pointee.name) },
        "P11": { $0.pointee.name.hasPrefix("M") && $0.pointee.name.hasSuffix("son") },
        "P12": { isAmongCities($0.pointee.city) },
        "P13": { $0.pointee.age >= 30 && $0.pointee.age <= 40 },
        "P14": { $0.pointee.address.geo.lat > 45 },
        "P15": { $0.pointee.tags.contains("red") },
        "P16": { $0.pointee.orders.contains { $0.amount > 500 } },
        "P17": {
            var count = 0
            for order in $0.pointee.orders where order.amount > 100 && order.qty >= 5 { count += 1 }
            return count >= 2
        },
        "P18": {
            var sum = 0.0
            for order in $0.pointee.orders { sum += order.amount }
            return sum > 1_000
        },
        "P19": { $0.pointee.name.hasPrefix("Mar") && $0.pointee.name.hasSuffix("n") },
        "P20": { isKyoto($0.pointee.city) },
    ]

    /// An ordinary `filter` with an inline closure.
    static let filtered: [String: @Sendable ([Person]) -> Int] = [
        "P01": { $0.filter { $0.age > 42 }.count },
        "P02": { $0.filter { $0.city == "Kyoto" }.count },
        "P03": { $0.filter { $0.name.utf8.starts(with: "Mar".utf8) }.count },
        "P04": { $0.filter { contains($0.name, "son") }.count },
        "P05": { $0.filter { $0.age >= 30 && $0.active && $0.score < 50 }.count },
        "P06": { $0.filter { $0.city == "Kyoto" || $0.age < 5 || $0.score > 99 }.count },
        "P07": { $0.filter { $0.nickname == nil }.count },
        "P08": { $0.filter { $0.tags.count > 2 }.count },
        "P09": { $0.filter { $0.age * 2 + 10 > 100 }.count },
        "P10": { $0.filter { foldedHasPrefixMar($0.name) }.count },
        "P11": { $0.filter { $0.name.hasPrefix("M") && $0.name.hasSuffix("son") }.count },
        "P12": { $0.filter { isAmongCities($0.city) }.count },
        "P13": { $0.filter { $0.age >= 30 && $0.age <= 40 }.count },
        "P14": { $0.filter { $0.address.geo.lat > 45 }.count },
        "P15": { $0.filter { $0.tags.contains("red") }.count },
        "P16": { $0.filter { $0.orders.contains { $0.amount > 500 } }.count },
        "P17": { people in
            people.filter { person in
                var count = 0
                for order in person.orders where order.amount > 100 && order.qty >= 5 { count += 1 }
                return count >= 2
            }.count
        },
        "P18": { people in
            people.filter { person in
                var sum = 0.0
                for order in person.orders { sum += order.amount }
                return sum > 1_000
            }.count
        },
        "P19": { $0.filter { $0.name.hasPrefix("Mar") && $0.name.hasSuffix("n") }.count },
        "P20": { $0.filter { isKyoto($0.city) }.count },
    ]

    /// Five comparisons, which are faster than a set.
    private static func isAmongCities(_ city: String) -> Bool {
        city == "Kyoto" || city == "Lagos" || city == "Oslo" || city == "Lima" || city == "Quito"
    }

    private static func contains(_ text: borrowing String, _ needle: StaticString) -> Bool {
        let wanted = UnsafeBufferPointer(start: needle.utf8Start, count: needle.utf8CodeUnitCount)
        return text.utf8.withContiguousStorageIfAvailable { bytes in
            guard let first = bytes.baseAddress, bytes.count >= wanted.count else { return false }
            for start in 0...(bytes.count - wanted.count) where bytes[start] == wanted[0] {
                if memcmp(first + start, needle.utf8Start, wanted.count) == 0 { return true }
            }
            return false
        } ?? false
    }

    /// ASCII is folded by hand; the rest by Foundation, which is a hundred times slower.
    private static func foldedHasPrefixMar(_ text: String) -> Bool {
        var letters = "mar".utf8.makeIterator()
        for byte in text.utf8.prefix(3) {
            if byte >= 0x80 {
                return text.folding(options: [.caseInsensitive, .diacriticInsensitive], locale: nil).hasPrefix("mar")
            }
            if byte | 0x20 != letters.next() { return false }
        }
        return letters.next() == nil
    }

    private static func isKyoto(_ text: String) -> Bool {
        guard text.utf8.count == 5 else { return !text.utf8.allSatisfy { $0 < 0x80 } && text.lowercased() == "kyoto" }
        var letters = "kyoto".utf8.makeIterator()
        return text.utf8.allSatisfy { $0 | 0x20 == letters.next() }
    }
}
