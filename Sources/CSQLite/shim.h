#ifndef PREDICATEQL_CSQLITE_SHIM_H
#define PREDICATEQL_CSQLITE_SHIM_H

#if __has_include(<sqlite3.h>)
#include <sqlite3.h>
#else
#error "SQLite is missing. Debian: apt-get install -y libsqlite3-dev"
#endif

#endif
