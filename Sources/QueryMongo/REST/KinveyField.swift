import QueryTree

/// The keys that the Kinvey service writes into every document.
///
///     try Query(Field(KinveyField.creator) == "jo").rest().items.map(\.value)  // → ["{\"_acl.creator\":\"jo\"}"]
public enum KinveyField {
    /// The document's identity, `_id`.
    public static let identity: FieldPath = "_id"
    /// The location of the document, `[longitude, latitude]`: `_geoloc`.
    public static let place: FieldPath = "_geoloc"
    /// The access control list, `_acl`.
    public static let access: FieldPath = "_acl"
    /// The user who created the document, `_acl.creator`.
    public static let creator: FieldPath = "_acl.creator"
    /// The users who may read it, `_acl.r`.
    public static let readers: FieldPath = "_acl.r"
    /// The users who may write it, `_acl.w`.
    public static let writers: FieldPath = "_acl.w"
    /// True if everybody may read it, `_acl.gr`.
    public static let isReadable: FieldPath = "_acl.gr"
    /// True if everybody may write it, `_acl.gw`.
    public static let isWritable: FieldPath = "_acl.gw"
    /// When the document was created, ISO text: `_kmd.ect`.
    public static let created: FieldPath = "_kmd.ect"
    /// When it was last changed, ISO text: `_kmd.lmt`.
    public static let changed: FieldPath = "_kmd.lmt"
}
