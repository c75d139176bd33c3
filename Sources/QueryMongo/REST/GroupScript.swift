import QueryTree
import QueryValues

/// Writes the JavaScript of a group request: plain ECMAScript 3, so that any server's engine runs it.
///
/// It follows S18 and S22: sums and averages read numbers only, and the minimum and maximum compare like sorts.
struct GroupScript {
    /// One value of a group.
    struct Value {
        var operation: Reducer.Operation
        /// The stored names of the field, empty for a count.
        var path: [String]
        /// The field's type by the schema.
        var type: FieldType
        /// The result's key.
        var name: String
        /// The keys where an average keeps its sum and count.
        var sum = ""
        var count = ""
    }

    var values: [Value]

    /// The accumulators of a group without rows.
    var initial: Document {
        var initial = Document()
        for value in values {
            switch value.operation {
            case .count, .sum: initial[value.name] = 0
            case .average:
                initial[value.sum] = 0
                initial[value.count] = 0
                initial[value.name] = .null
            case .min, .max, .custom: initial[value.name] = .null
            }
        }
        return initial
    }

    /// The function that adds a document to its group.
    var reduce: String {
        let body = values.map(statement).joined()
        let helpers = (needsOrder ? Self.order : "") + (needsObject ? Self.object : "")
        return "function(doc,out){" + (needsVariable ? "var v;" : "") + helpers + body + "}"
    }

    private var needsVariable: Bool { values.contains { !$0.path.isEmpty } }
    private var needsObject: Bool { values.contains { $0.path.count > 1 } }
    private var needsOrder: Bool { values.contains { isExtreme($0) && !isNumber($0.type) } }

    private func isExtreme(_ value: Value) -> Bool {
        switch value.operation {
        case .min, .max: true
        case .count, .sum, .average, .custom: false
        }
    }

    private func isNumber(_ type: FieldType) -> Bool { type.kind == .number }

    private func statement(_ value: Value) -> String {
        let out = Self.member("out", value.name)
        switch value.operation {
        case .count: return "\(out)++;"
        case .sum: return "v=\(read(value.path));if(\(Self.isNumber)){\(out)+=v;}"
        case .average:
            let (sum, count) = (Self.member("out", value.sum), Self.member("out", value.count))
            return "v=\(read(value.path));if(\(Self.isNumber)){\(sum)+=v;\(count)++;\(out)=\(sum)/\(count);}"
        case .min: return extreme(value, out, sign: "<")
        case .max: return extreme(value, out, sign: ">")
        case .custom: return ""
        }
    }

    private func extreme(_ value: Value, _ out: String, sign: String) -> String {
        if isNumber(value.type) {
            return "v=\(read(value.path));if(\(Self.isNumber)&&(\(out)===null||v\(sign)\(out))){\(out)=v;}"
        }
        return "v=\(read(value.path));if(rank(v)>0&&(\(out)===null||order(v,\(out))\(sign)0)){\(out)=v;}"
    }

    /// A number that is not NaN.
    private static let isNumber = #"typeof v==="number"&&v===v"#

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
