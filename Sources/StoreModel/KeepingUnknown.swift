import QueryValues

extension Document {
    /// What is left of a version when another one takes its place: the fields that a type does not know, and stored
    /// values that were not changed (W10).
    ///
    /// - Parameters:
    ///   - known: the version as the type writes it after reading it: what is missing there, it does not know.
    ///   - new: the version that the type wrote.
    /// - Returns: the new version with the unknown fields, those of objects and elements inside too. What the type
    ///   writes as it did before stays as it is stored.
    package func keepingUnknown(besides known: Document, in new: Document) -> Document {
        var result = new
        for (key, value) in pairs {
            switch (known[key], new[key]) {
            case (nil, nil): result[key] = value
            case (let read?, let written?): result[key] = value.keepingUnknown(besides: read, in: written)
            default: break
            }
        }
        return result
    }
}

extension QueryValue {
    /// The same of a value; the depth is that of an encoded entity, which is bounded.
    fileprivate func keepingUnknown(besides read: QueryValue, in new: QueryValue) -> QueryValue {
        // Where a type reads null as something else, it writes that, as for a field that is missing.
        if read == new { return self == .null ? new : self }
        switch (self, read, new) {
        case (.object(let old), .object(let read), .object(let new)):
            return .object(old.keepingUnknown(besides: read, in: new))
        case (.list(let old), .list(let read), .list(let new)) where old.count == read.count:
            return .list(
                zip(new, Self.origins(of: new, in: read)).map { element, place in
                    place.map { old[$0].keepingUnknown(besides: read[$0], in: element) } ?? element
                }
            )
        default: return new
        }
    }

    /// Which element of a list each one of its next version was.
    ///
    /// Equal elements pair first, at the same place or else in order, then those of one id. In lists of the same length
    /// the others without an id pair in order: those were edited, while a list that grew or shrank does not tell.
    private static func origins(of new: [QueryValue], in old: [QueryValue]) -> [Int?] {
        var origins: [Int?] = new.indices.map { $0 < old.count && old[$0] == new[$0] ? $0 : nil }
        func pair(by key: (QueryValue) -> QueryValue?) {
            let taken = Set(origins.compactMap(\.self))
            var places: [EqualityKey: [Int]] = [:]
            for place in old.indices.reversed() where !taken.contains(place) {
                if let key = key(old[place]) { places[EqualityKey(key), default: []].append(place) }
            }
            for index in new.indices where origins[index] == nil {
                if let key = key(new[index]) { origins[index] = places[EqualityKey(key)]?.popLast() }
            }
        }
        pair { $0 }
        pair(by: \.identity)
        if old.count == new.count { pair { $0.identity == nil ? .null : nil } }
        return origins
    }

    /// What an object among others is known by; nil if it does not say.
    private var identity: QueryValue? {
        guard case .object(let document) = self else { return nil }
        return [document["_id"], document["id"]].compactMap(\.self).first { $0 != .null }
    }
}
