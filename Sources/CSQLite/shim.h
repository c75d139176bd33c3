#ifndef PREDICATEQL_CSQLITE_SHIM_H
#define PREDICATEQL_CSQLITE_SHIM_H

#if __has_include(<sqlite3.h>)
#include <sqlite3.h>
#else
#error "SQLite is missing. Debian: apt-get install -y libsqlite3-dev"
#endif

/* Without SQLite's counters of memory, whose lock every allocation of every thread takes. Only before SQLite is used. */
static inline int pql_sqlite_without_memory_counters(void) {
    return sqlite3_config(SQLITE_CONFIG_MEMSTATUS, 0);
}

#endif
