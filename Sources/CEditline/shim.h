#ifndef PREDICATEQL_CEDITLINE_SHIM_H
#define PREDICATEQL_CEDITLINE_SHIM_H

#if __has_include(<editline/readline.h>)
#include <stdio.h>
#include <stdlib.h>
#include <editline/readline.h>

/* Swift refuses to write to a C global; the editor runs on one thread only. */
static inline void editline_set_completion(rl_compentry_func_t *function) {
    rl_completion_entry_function = function;
}
#else
#error "libedit is missing. Debian: apt-get install -y libedit-dev"
#endif

#endif
