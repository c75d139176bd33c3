#pragma once

#if __has_include(<zlib.h>)
#include <zlib.h>
#else
#error "zlib is missing. Debian: apt-get install -y zlib1g-dev"
#endif

/// `deflateInit2`, which is a macro; `format` is 31 for gzip, 15 for the "deflate" of HTTP.
static inline int pql_deflate_init(z_streamp stream, int level, int format) {
    return deflateInit2(stream, level, Z_DEFLATED, format, 8, Z_DEFAULT_STRATEGY);
}
