#ifndef PREDICATEQL_CCALLBACKS_H
#define PREDICATEQL_CCALLBACKS_H

/// Registers `raw_match(pattern, text)` and `raw_fold(text)` on a `sqlite3*`, written as somebody would in C:
/// PCRE2 with its compiler for the machine, the compiled pattern kept by SQLite; ASCII letters to lower case.
/// Returns SQLite's code.
int register_raw_callbacks(void *database);

#endif
