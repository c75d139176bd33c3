import Foundation
import PredicateQL

/// An order of a person.
struct PersonOrder: Queryable, Encodable {
    var amount: Double
    var qty: Int
    static let fields: FieldTable<PersonOrder> = ["amount": \.amount, "qty": \.qty]
}

/// A place on the earth.
struct PersonPlace: Queryable, Encodable {
    var lat: Double
    var lon: Double
    static let fields: FieldTable<PersonPlace> = ["lat": \.lat, "lon": \.lon]
}

/// An address with a place.
struct PersonAddress: Queryable, Encodable {
    var street: String
    var zip: String
    var geo: PersonPlace
    static let fields: FieldTable<PersonAddress> = ["street": \.street, "zip": \.zip, "geo": \.geo]
}

/// A person of 168 bytes.
struct Person: Queryable, Encodable {
    var id: String
    var name: String
    var age: Int
    var score: Double
    var active: Bool
    var city: String
    var nickname: String?
    var joined: String
    var tags: [String]
    var address: PersonAddress
    var orders: [PersonOrder]

    enum CodingKeys: String, CodingKey {
        case id = "_id"
        case name, age, score, active, city, nickname, joined, tags, address, orders
    }

    static let fields: FieldTable<Person> = [
        "_id": \.id, "name": \.name, "age": \.age, "score": \.score, "active": \.active, "city": \.city,
        "nickname": \.nickname, "joined": \.joined, "tags": \.tags, "address": \.address, "orders": \.orders,
    ]

    /// The first people of the fixed seed, generated one by one.
    static func all(_ count: Int) -> [Person] { People.documents(count, as: { Person($0) }) }

    init(_ row: Document) {
        func text(_ value: QueryValue?) -> String { if case .string(let text)? = value { text } else { "" } }
        func number(_ value: QueryValue?) -> Double { if case .double(let number)? = value { number } else { 0 } }
        func int(_ value: QueryValue?) -> Int { if case .int(let number)? = value { Int(number) } else { 0 } }
        func list(_ value: QueryValue?) -> [QueryValue] { if case .list(let list)? = value { list } else { [] } }
        func object(_ value: QueryValue?) -> Document { if case .object(let row)? = value { row } else { Document() } }
        id = String(int(row["_id"]))
        name = text(row["name"])
        age = int(row["age"])
        score = number(row["score"])
        active = row["active"] == .bool(true)
        city = text(row["city"])
        if case .string(let text)? = row["nickname"] { nickname = text }
        joined = "2026-11-21T10:00:00Z"
        tags = list(row["tags"]).map { text($0) }
        let place = object(object(row["address"])["geo"])
        address = PersonAddress(
            street: "",
            zip: text(object(row["address"])["zip"]),
            geo: PersonPlace(lat: number(place["lat"]), lon: number(place["lon"]))
        )
        orders = list(row["orders"]).map {
            PersonOrder(amount: number(object($0)["amount"]), qty: int(object($0)["qty"]))
        }
    }
}
