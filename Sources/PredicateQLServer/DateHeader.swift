#if Server
    import Foundation
    import QueryValues

    /// The `Date` of answers, written once a second.
    final class DateHeader: Sendable {
        private let state = Mutex((second: 0, text: ""))

        var text: String {
            let second = time(nil)
            return state.withLock { state in
                if state.second != second { state = (second, Self.text(of: second)) }
                return state.text
            }
        }

        /// A time as HTTP writes it.
        static func text(of second: time_t) -> String {
            var second = second
            var parts = tm()
            gmtime_r(&second, &parts)
            let days = ["Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat"]
            let months = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"]
            let date =
                "\(days[Int(parts.tm_wday)]), \(two(parts.tm_mday)) \(months[Int(parts.tm_mon)]) \(parts.tm_year + 1_900)"
            return "\(date) \(two(parts.tm_hour)):\(two(parts.tm_min)):\(two(parts.tm_sec)) GMT"
        }

        private static func two(_ number: Int32) -> String { number < 10 ? "0\(number)" : "\(number)" }
    }
#endif
