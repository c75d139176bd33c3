#ifndef PREDICATEQL_CCURL_SHIM_H
#define PREDICATEQL_CCURL_SHIM_H

#include <stddef.h>

/* The parts of libcurl that requests need, declared here, so that no build needs its headers. The functions are found at
   run time in the library that FoundationNetworking has loaded. */
typedef size_t (*pql_curl_write)(char *bytes, size_t size, size_t count, void *context);

/* CURLMsg. */
struct pql_curl_message {
    int kind;
    void *handle;
    union {
        void *whatever;
        int code;
    } data;
};

/* Functions of the library take arguments of any type, which Swift cannot pass. */
static inline int pql_curl_set_long(void *function, void *handle, int option, long value) {
    return ((int (*)(void *, int, ...))function)(handle, option, value);
}

static inline int pql_curl_set_size(void *function, void *handle, int option, long long value) {
    return ((int (*)(void *, int, ...))function)(handle, option, value);
}

static inline int pql_curl_set_pointer(void *function, void *handle, int option, const void *value) {
    return ((int (*)(void *, int, ...))function)(handle, option, value);
}

static inline int pql_curl_set_write(void *function, void *handle, int option, pql_curl_write value) {
    return ((int (*)(void *, int, ...))function)(handle, option, value);
}

static inline int pql_curl_get_text(void *function, void *handle, int info, const char **value) {
    return ((int (*)(void *, int, ...))function)(handle, info, value);
}

#endif
