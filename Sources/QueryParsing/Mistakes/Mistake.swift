import QueryValues

/// An error on its way out of the parser, as a single reference.
///
/// A debug build reserves room for every error that a function may pass on; a single reference keeps the frames of the
/// recursive functions small, so that the deepest text fits a small stack (S26).
struct Mistake: Error {
    private final class Box: Sendable {
        let error: QueryError

        init(_ error: QueryError) {
            self.error = error
        }
    }

    private let box: Box

    /// The error for the caller.
    var error: QueryError { box.error }

    init(
        _ code: QueryError.Code,
        _ message: String,
        range: Range<Int>? = nil,
        hint: String? = nil,
        inRequest: String? = nil,
        fix: QueryError.Fix? = nil
    ) {
        var error = QueryError(code, message, range: range, hint: hint, fix: fix)
        error.requestHint = inRequest
        box = Box(error)
    }
}
