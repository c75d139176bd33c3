import PredicateQLStore
import StoreModel

/// Something to do.
struct Todo: Entity {
    static let collection = "Todo"
    var _id: String?
    var _acl: AccessControl?
    var _kmd: Metadata?
    var text: String
    var isDone = false
}
