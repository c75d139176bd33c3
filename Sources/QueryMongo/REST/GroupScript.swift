import QueryTree
import QueryValues

/// Writes the JavaScript of a group request: plain ECMAScript 3, so that any server's engine runs it.
///
/// It follows S18 and S22: sums and averages read numbers only, and the minimum and maximum compare like sorts.
///
/// ``GroupStatement`` has its statements; the reader of scripts recognises them from there.
package struct GroupScript {
    /// One value of a group.
    package struct Value {
        package var operation: Reducer.Operation
        /// The stored names of the field, empty for a count.
        package var path: [String]
        /// The field's type by the schema.
        package var type: FieldType
        /// The result's key.
        package var name: String
        /// The keys where an average keeps its sum and count.
        package var sum: String
        package var count: String

        package init(
            operation: Reducer.Operation,
            path: [String],
            type: FieldType,
            name: String,
            sum: String = "",
            count: String = ""
        ) {
            (self.operation, self.path, self.type) = (operation, path, type)
            (self.name, self.sum, self.count) = (name, sum, count)
        }
    }

    package var values: [Value]

    package init(values: [Value]) {
        self.values = values
    }

    /// The accumulators of a group without rows.
    package var initial: Document {
        var initial = Document()
        for value in values {
            switch value.operation {
            case .count, .sum: initial[value.name] = 0
            case .average:
                initial[value.sum] = 0
                initial[value.count] = 0
                initial[value.name] = .null
            case .min, .max, .countDistinct, .distinct, .median, .first, .last, .custom: initial[value.name] = .null
            }
        }
        return initial
    }

    /// The function that adds a document to its group.
    package var reduce: String {
        let body = values.map(statement).joined()
        let helpers = zip(Self.helpers, [needsOrder, needsObject]).map { $1 ? $0 : "" }.joined()
        return "function(doc,out){" + (needsVariable ? "var v;" : "") + helpers + body + "}"
    }

    private var needsVariable: Bool { values.contains { !$0.path.isEmpty } }
    private var needsObject: Bool { values.contains { $0.path.count > 1 } }
    private var needsOrder: Bool {
        values.contains { [.least, .greatest].contains(GroupStatement($0.operation, of: $0.type)) }
    }

    private func statement(_ value: Value) -> String {
        guard let statement = GroupStatement(value.operation, of: value.type) else { return "" }
        let pieces = statement.pieces.map { piece in
            switch piece {
            case .code(let code): code
            case .result: Self.member("out", value.name)
            case .sum: Self.member("out", value.sum)
            case .count: Self.member("out", value.count)
            case .value: read(value.path)
            }
        }
        return pieces.joined()
    }

    /// The value at a path of quoted names; only objects are walked, so that a text or list does not give its length.
    private func read(_ path: [String]) -> String {
        let steps = path.indices.map { path[...$0].reduce("doc", Self.member) }
        guard let last = steps.last, steps.count > 1 else { return steps.last ?? "null" }
        return steps.dropLast().map { "isObject(\($0))" }.joined(separator: "&&") + "?\(last):null"
    }

    private static func member(_ object: String, _ name: String) -> String { object + "[" + quoted(name) + "]" }

    /// A string literal; the two line ends that JSON allows in a string and older JavaScript does not are escaped.
    private static func quoted(_ name: String) -> String {
        var bytes: [UInt8] = []
        JSONWriter.write(string: name, to: &bytes)
        return String(decoding: bytes, as: UTF8.self).unicodeScalars.reduce(into: "") { text, scalar in
            switch scalar {
            case "\u{2028}": text += "\\u2028"
            case "\u{2029}": text += "\\u2029"
            default: text.unicodeScalars.append(scalar)
            }
        }
    }

    /// The functions that statements call, in the order in which they are written.
    package static let helpers = [order, object]

    private static let object =
        #"function isObject(x){return typeof x==="object"&&x!==null&&!(x instanceof Array);}"#

    /// The order of S22 among JSON values: 0 for values without an order; texts compare by scalars like UTF-8.
    private static let order = """
        function rank(x){switch(typeof x){case"number":return x===x?1:0;case"string":return 2;case"boolean":return 5;\
        case"object":return x===null?0:x instanceof Array?4:3;}return 0;}\
        function unit(x,i){var c=x.charCodeAt(i);return c>=55296?(c<57344?c+8192:c-2048):c;}\
        function text(a,b){for(var i=0;i<a.length&&i<b.length;i++){var d=unit(a,i)-unit(b,i);if(d){return d;}}\
        return a.length-b.length;}\
        function names(x){var k=[],n;for(n in x){if(Object.prototype.hasOwnProperty.call(x,n)){k.push(n);}}\
        return k.sort(text);}\
        function order(a,b){var r=rank(a),d=r-rank(b),i,j,k;if(d){return d;}\
        if(r===2){return text(a,b);}if(r===1||r===5){return a-b;}\
        if(r===4){for(i=0;i<a.length&&i<b.length;i++){d=order(a[i],b[i]);if(d){return d;}}return a.length-b.length;}\
        if(r===3){j=names(a);k=names(b);for(i=0;i<j.length&&i<k.length;i++){d=text(j[i],k[i]);if(d){return d;}}\
        if(j.length!==k.length){return j.length-k.length;}\
        for(i=0;i<j.length;i++){d=order(a[j[i]],b[k[i]]);if(d){return d;}}}return 0;}
        """
}

/// A statement of a group script, which adds a document's value to its group.
package enum GroupStatement: CaseIterable, Sendable {
    case count, sum, average, leastNumber, greatestNumber, least, greatest

    /// The statement of a reducer over a field of a type; nil for Swift code and what no script computes.
    init?(_ operation: Reducer.Operation, of type: FieldType) {
        let isOfNumbers = type.kind == .number
        switch operation {
        case .count: self = .count
        case .sum: self = .sum
        case .average: self = .average
        case .min: self = isOfNumbers ? .leastNumber : .least
        case .max: self = isOfNumbers ? .greatestNumber : .greatest
        case .countDistinct, .distinct, .median, .first, .last, .custom: return nil
        }
    }

    /// The reducer of a field.
    package func operation(_ value: GroupKey) -> Reducer.Operation {
        switch self {
        case .count: .count
        case .sum: .sum(value)
        case .average: .average(value)
        case .least, .leastNumber: .min(value)
        case .greatest, .greatestNumber: .max(value)
        }
    }

    /// The statement's code with the places that differ from script to script.
    package var pieces: [GroupPiece] {
        switch self {
        case .count: [.result, "++;"]
        case .sum: ["v=", .value, ";if(\(Self.isNumber)){", .result, "+=v;}"]
        case .average:
            [
                "v=", .value, ";if(\(Self.isNumber)){", .sum, "+=v;", .count, "++;", .result, "=", .sum, "/", .count,
                ";}",
            ]
        case .leastNumber: Self.extreme(Self.isNumber, "v<", "")
        case .greatestNumber: Self.extreme(Self.isNumber, "v>", "")
        case .least: Self.extreme("rank(v)>0", "order(v,", ")<0")
        case .greatest: Self.extreme("rank(v)>0", "order(v,", ")>0")
        }
    }

    /// A number that is not NaN.
    private static let isNumber = #"typeof v==="number"&&v===v"#

    /// Keeps the value if it counts and comes before the one that is kept.
    private static func extreme(_ counts: String, _ before: String, _ after: String) -> [GroupPiece] {
        [
            "v=", .value, ";if(\(counts)&&(", .result, "===null||\(before)", .result, "\(after))){", .result, "=v;}",
        ]
    }
}

/// A piece of a statement: code, or a place for a key of the group or the value of the document.
package enum GroupPiece: Hashable, Sendable, ExpressibleByStringInterpolation {
    case code(String)
    case result, sum, count, value

    package init(stringLiteral code: String) { self = .code(code) }
}
