import QueryValues

/// The order and equality of BSON values, written from MongoDB's manual.
enum MongoOrder {
    /// The rank of a kind; missing comes before null.
    static func rank(_ value: QueryValue?) -> Int {
        switch value {
        case nil: 0
        case .null: 1
        case .int, .double: 2
        case .string: 3
        case .object(let object): object.isObjectID ? 7 : 4
        case .list: 5
        case .data, .uuid: 6
        case .bool: 8
        case .date: 9
        case .shape: 99
        }
    }

    static func isEqual(_ a: QueryValue, _ b: QueryValue) -> Bool { compare(a, b) == 0 }

    /// Find's comparison: false across kinds, and NaN equals only itself.
    static func bracketed(_ value: QueryValue?, _ name: String, _ operand: QueryValue) -> Bool {
        // `$gte` and `$lte` of null also match missing values.
        guard let value = value ?? (operand.isNull ? .null : .none), rank(value) == rank(operand) else { return false }
        if isNaN(value) || isNaN(operand) {
            return isNaN(value) && isNaN(operand) && (name == "$gte" || name == "$lte")
        }
        return holds(name, compare(value, operand))
    }

    static func holds(_ name: String, _ order: Int) -> Bool {
        switch name {
        case "$eq": order == 0
        case "$ne": order != 0
        case "$gt": order > 0
        case "$gte": order >= 0
        case "$lt": order < 0
        default: order <= 0
        }
    }

    static func double(_ value: QueryValue) -> Double {
        switch value {
        case .int(let number): Double(number)
        case .double(let number): number
        default: 0
        }
    }

    static func isNaN(_ value: QueryValue) -> Bool {
        if case .double(let number) = value { number.isNaN } else { false }
    }

    /// -1, 0 or 1 in BSON's order.
    static func compare(_ a: QueryValue?, _ b: QueryValue?) -> Int {
        if rank(a) != rank(b) { return rank(a) < rank(b) ? -1 : 1 }
        switch (a, b) {
        case (.bool(let x)?, .bool(let y)?): return order(x ? 1 : 0, y ? 1 : 0)
        case (.int(let x)?, .int(let y)?): return order(x, y)
        case (.int(let x)?, .double(let y)?): return numbers(x, y)
        case (.double(let x)?, .int(let y)?): return -numbers(y, x)
        case (.double(let x)?, .double(let y)?):
            if x.isNaN || y.isNaN { return order(x.isNaN ? 0 : 1, y.isNaN ? 0 : 1) }
            return order(x, y)
        case (.string(let x)?, .string(let y)?): return bytes(Array(x.utf8), Array(y.utf8))
        case (.date(let x)?, .date(let y)?): return order(x, y)
        case (.data?, _), (.uuid?, _): return binary(a, b)
        case (.list(let x)?, .list(let y)?): return lists(x, y)
        case (.object(let x)?, .object(let y)?): return objects(x, y)
        default: return 0
        }
    }

    private static func order<T: Comparable>(_ a: T, _ b: T) -> Int { a < b ? -1 : a > b ? 1 : 0 }

    private static func numbers(_ a: Int64, _ b: Double) -> Int {
        if b.isNaN { return 1 }
        if b >= 0x1p63 { return -1 }
        if b < -0x1p63 { return 1 }
        let whole = b.rounded(.down)
        let floor = Int64(whole)
        return a == floor ? (b > whole ? -1 : 0) : order(a, floor)
    }

    private static func bytes(_ a: [UInt8], _ b: [UInt8]) -> Int {
        for (x, y) in zip(a, b) where x != y { return x < y ? -1 : 1 }
        return order(a.count, b.count)
    }

    /// By length, then by subtype, then byte by byte.
    private static func binary(_ a: QueryValue?, _ b: QueryValue?) -> Int {
        func parts(_ value: QueryValue?) -> (subtype: Int, bytes: [UInt8]) {
            switch value {
            case .data(let bytes)?: (0, bytes)
            case .uuid(let uuid)?: (4, withUnsafeBytes(of: uuid.uuid) { Array($0) })
            default: (0, [])
            }
        }
        let (x, y) = (parts(a), parts(b))
        if x.bytes.count != y.bytes.count { return order(x.bytes.count, y.bytes.count) }
        return x.subtype == y.subtype ? bytes(x.bytes, y.bytes) : order(x.subtype, y.subtype)
    }

    private static func lists(_ a: [QueryValue], _ b: [QueryValue]) -> Int {
        for (x, y) in zip(a, b) {
            let order = compare(x, y)
            if order != 0 { return order }
        }
        return order(a.count, b.count)
    }

    private static func objects(_ a: Document, _ b: Document) -> Int {
        for ((key, x), (other, y)) in zip(a.pairs, b.pairs) {
            if rank(x) != rank(y) { return order(rank(x), rank(y)) }
            let names = bytes(Array(key.utf8), Array(other.utf8))
            if names != 0 { return names }
            let values = compare(x, y)
            if values != 0 { return values }
        }
        return order(a.count, b.count)
    }
}
