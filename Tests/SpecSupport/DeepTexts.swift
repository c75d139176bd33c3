import Foundation
import PredicateQL

/// Texts of queries that nest.
package enum DeepTexts {
    /// Nested as deeply as `Limits.default` allows, and as deeply as the caller's stack must support.
    package static let all = [Limits.default.nesting - 2, 20, 10, 4].flatMap(texts(depth:))

    private static func texts(depth: Int) -> [String] {
        func nested(_ open: String, _ middle: String, _ close: String, _ depth: Int = depth) -> String {
            String(repeating: open, count: depth) + middle + String(repeating: close, count: depth)
        }
        return [
            nested("NOT (", "a == 1", ")", depth / 2),
            nested("(b == 2 OR ", "a == 1", ")"),
            nested("abs(", "a", ")") + " == 1",
            nested("uppercase(lowercase(", "a", "))", depth / 2) + " == 'x'",
            nested("(1 + ", "a", ")") + " == 1",
            nested("(2 ** ", "a", ")") + " == 1",
            nested("sum(", "a", ")") + " == 1",
            nested("median(", "a", ")") + " == 1",
            nested("-(", "a", ")", depth / 2) + " == 1",
            nested("(a & ", "b", ")") + " == 1",
            nested("a[", "0", "]") + " == 1",
            "x IN " + nested("{", "1, a", "}"),
            nested("TERNARY(a == 1, ", "a", ", 2)") + " == 1",
            nested("TERNARY(", "a == 1", ", 1, 2) == 1"),
            nested("CAST(", "a", ", 'NSNumber')") + " == 1",
            nested("SUBQUERY(a, $x, $x.b == 1 AND ", "a == 1", ").@count > 1"),
            nested("SUBQUERY(", "a", ", $x, $x == 1)") + ".@count > 1",
            "SUBQUERY(c, $x, " + nested("SUBQUERY($x.c, $x, ", "$x == 1", ").@count > 1", depth - 1) + ").@count > 1",
        ]
    }
}

extension DeepTexts {
    /// Texts that are long but not deep, whose outputs nest where the text does not.
    package static func chains(_ count: Int) -> [String] {
        func chain(_ link: String, _ separators: String...) -> String {
            (0..<count).map { $0 == 0 ? link : separators[$0 % separators.count] + link }.joined()
        }
        let arithmetic = ["+", "-", "*", "/", "**"].map { "a == " + chain("b", $0) }
        let sets = ["UNION", "INTERSECT", "MINUS"].map { " \($0) " }
        return arithmetic + sets.map { "x IN (" + chain("b", $0) + ")" } + [
            "x IN (" + chain("b", " UNION ", " MINUS ") + ")", "ANY (" + chain("b", " UNION ", " INTERSECT ") + ") > 1",
            "(" + chain("b", " UNION ") + ").@count > 1", "a == " + chain("b", "+", "-", "*", "/"),
            "a == " + chain("c.d", " + "), chain("a == b", " AND "), chain("a > b", " OR "),
            "NOT (" + chain("NOT a == 1", " OR ") + ")", chain("(a == 1 OR b == 2)", " AND "),
            chain("ANY b > 1", " AND "), "x IN {" + chain("b", ",") + "}", "x IN {" + chain("1", ",b,") + "}",
            "ANY b IN {" + chain("1", ",'x',") + "}", "{" + chain("a", ",") + "} == {" + chain("b", ",") + "}",
            "sum({" + chain("a", ",") + "}) == 1",
        ]
    }

    /// A path as long as `Limits.default` allows, in every place that follows one.
    package static let paths: [String] = {
        let path = Array(repeating: "k", count: Limits.default.pathParts - 1).joined(separator: ".")
        return [
            path + " == 1", path + " == " + path, "ANY " + path + " > x",
            "ANY SUBQUERY(a, $x, $x.b == 1)." + path + " == c",
            "SUBQUERY(a, $x, $x." + path + " == $x.c).@count > 1", "a.@sum." + path + " > 1",
            "a.@distinctUnionOfObjects." + path + " == c", "(" + path + ")[0] == 1", "a[0]." + path + " == c",
        ]
    }()
}

/// A thread with a small stack, like the workers of queues on some systems.
package enum SmallThread {
    /// The stack size in bytes.
    package static let stackSize = 512 << 10

    /// Runs work on such a thread and waits for it; an overflow crashes the process.
    ///
    /// - Returns: the error that the work throws.
    package static func run(stackSize: Int = stackSize, _ work: @escaping @Sendable () throws -> Void) -> (any Error)? {
        let semaphore = DispatchSemaphore(value: 0)
        let outcome = Outcome()
        let thread = Thread {
            do { try work() } catch { outcome.error = error }
            semaphore.signal()
        }
        thread.stackSize = stackSize
        thread.start()
        semaphore.wait()
        return outcome.error
    }

    /// Written by the thread, read after it has ended.
    private final class Outcome: @unchecked Sendable {
        var error: (any Error)?
    }
}
