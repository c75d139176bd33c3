#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// When an entity was created and last changed: its `_kmd`, which the service writes.
///
///     try (["ect": "2020-07-16T16:16:37.597Z"] as Document).decode(Metadata.self).created?.timeIntervalSince1970
///     // → 1594916197.597
public struct Metadata: Hashable, Sendable, Codable {
    /// When the service created the entity (`ect`); nil before.
    public var created: Date?
    /// When the service last changed it (`lmt`); nil before.
    public var changed: Date?

    /// The metadata of an entity that is not on the service yet.
    public init() {}

    private enum CodingKeys: String, CodingKey {
        case created = "ect"
        case changed = "lmt"
    }
}

extension AccessControl: Codable {
    private enum CodingKeys: String, CodingKey {
        case creator
        case isReadable = "gr"
        case isWritable = "gw"
        case readers = "r"
        case writers = "w"
    }

    /// Reads an `_acl`.
    ///
    /// - Parameter decoder: an object; missing keys are nil or empty.
    /// - Throws: `DecodingError` for a part of the wrong kind.
    public init(from decoder: any Decoder) throws {
        let parts = try decoder.container(keyedBy: CodingKeys.self)
        self.init(creator: try parts.decodeIfPresent(String.self, forKey: .creator))
        isReadable = try parts.decodeIfPresent(Bool.self, forKey: .isReadable)
        isWritable = try parts.decodeIfPresent(Bool.self, forKey: .isWritable)
        readers = try parts.decodeIfPresent([String].self, forKey: .readers) ?? []
        writers = try parts.decodeIfPresent([String].self, forKey: .writers) ?? []
    }

    /// Writes an `_acl`, without keys that are nil or empty.
    ///
    /// - Parameter encoder: receives an object.
    /// - Throws: what the encoder throws.
    public func encode(to encoder: any Encoder) throws {
        var parts = encoder.container(keyedBy: CodingKeys.self)
        try parts.encodeIfPresent(creator, forKey: .creator)
        try parts.encodeIfPresent(isReadable, forKey: .isReadable)
        try parts.encodeIfPresent(isWritable, forKey: .isWritable)
        if !readers.isEmpty { try parts.encode(readers, forKey: .readers) }
        if !writers.isEmpty { try parts.encode(writers, forKey: .writers) }
    }
}
