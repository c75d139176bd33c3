#ifndef PREDICATEQL_CPCRE2_SHIM_H
#define PREDICATEQL_CPCRE2_SHIM_H

#if __has_include(<pcre2.h>)
#define PCRE2_CODE_UNIT_WIDTH 8
#include <pcre2.h>
#else
#error "PCRE2 is missing. Debian: apt-get install -y libpcre2-dev"
#endif

#endif
