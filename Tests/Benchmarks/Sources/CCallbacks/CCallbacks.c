#define PCRE2_CODE_UNIT_WIDTH 8
#include "CCallbacks.h"
#include <pcre2.h>
#include <sqlite3.h>
#include <stdlib.h>

struct matcher {
    pcre2_code *code;
    pcre2_match_data *data;
};

static void free_matcher(void *pointer) {
    struct matcher *matcher = pointer;
    pcre2_match_data_free(matcher->data);
    pcre2_code_free(matcher->code);
    free(matcher);
}

static struct matcher *compile(sqlite3_value *pattern) {
    int error;
    PCRE2_SIZE offset;
    struct matcher *matcher = malloc(sizeof *matcher);
    if (!matcher) return NULL;
    matcher->code = pcre2_compile(
        sqlite3_value_text(pattern), (PCRE2_SIZE)sqlite3_value_bytes(pattern),
        PCRE2_UTF | PCRE2_ANCHORED | PCRE2_ENDANCHORED | PCRE2_NO_UTF_CHECK, &error, &offset, NULL
    );
    if (!matcher->code) {
        free(matcher);
        return NULL;
    }
    pcre2_jit_compile(matcher->code, PCRE2_JIT_COMPLETE);
    matcher->data = pcre2_match_data_create_from_pattern(matcher->code, NULL);
    return matcher;
}

static void raw_match(sqlite3_context *context, int count, sqlite3_value **arguments) {
    (void)count;
    if (sqlite3_value_type(arguments[1]) != SQLITE_TEXT) {
        sqlite3_result_int(context, 0);
        return;
    }
    struct matcher *matcher = sqlite3_get_auxdata(context, 0);
    int isNew = !matcher;
    if (isNew && !(matcher = compile(arguments[0]))) {
        sqlite3_result_error(context, "the pattern is wrong", -1);
        return;
    }
    int result = pcre2_match(
        matcher->code, sqlite3_value_text(arguments[1]), (PCRE2_SIZE)sqlite3_value_bytes(arguments[1]), 0,
        0, matcher->data, NULL
    );
    sqlite3_result_int(context, result >= 0);
    if (isNew) sqlite3_set_auxdata(context, 0, matcher, free_matcher);
}

static void raw_fold(sqlite3_context *context, int count, sqlite3_value **arguments) {
    (void)count;
    if (sqlite3_value_type(arguments[0]) != SQLITE_TEXT) {
        sqlite3_result_value(context, arguments[0]);
        return;
    }
    const unsigned char *text = sqlite3_value_text(arguments[0]);
    int length = sqlite3_value_bytes(arguments[0]);
    unsigned char *folded = sqlite3_malloc(length + 1);
    if (!folded) {
        sqlite3_result_error_nomem(context);
        return;
    }
    for (int i = 0; i < length; i++) folded[i] = text[i] >= 'A' && text[i] <= 'Z' ? text[i] + 32 : text[i];
    folded[length] = 0;
    sqlite3_result_text(context, (char *)folded, length, sqlite3_free);
}

int register_raw_callbacks(void *database) {
    int flags = SQLITE_UTF8 | SQLITE_DETERMINISTIC | SQLITE_INNOCUOUS;
    int code = sqlite3_create_function_v2(database, "raw_match", 2, flags, NULL, raw_match, NULL, NULL, NULL);
    if (code != SQLITE_OK) return code;
    return sqlite3_create_function_v2(database, "raw_fold", 1, flags, NULL, raw_fold, NULL, NULL, NULL);
}
