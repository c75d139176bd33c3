// Times -[NSPredicate evaluateWithObject:] of GNUstep over dictionaries: FILE holds the rows as NDJSON, its first argument
// is their number. One format a line in; a line out: how many rows match and CPU nanoseconds a row, or "-1 -1".
#import <Foundation/Foundation.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static double cpu(void) {
    struct timespec t;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
    return t.tv_sec * 1e9 + t.tv_nsec;
}

static char line[1 << 20];

static NSArray *readRows(const char *path, NSUInteger most) {
    NSMutableArray *rows = [NSMutableArray array];
    FILE *file = fopen(path, "r");
    while (file && [rows count] < most && fgets(line, sizeof line, file)) {
        NSData *data = [NSData dataWithBytes: line length: strlen(line)];
        NSMutableDictionary *row = [NSJSONSerialization JSONObjectWithData: data
                                                                   options: NSJSONReadingMutableContainers
                                                                     error: NULL];
        // A null of JSON is an object of its own here, and not nil.
        [row removeObjectsForKeys: [row allKeysForObject: [NSNull null]]];
        if (row) [rows addObject: row];
    }
    if (file) fclose(file);
    return rows;
}

static void evaluate(NSArray *rows, const char *format) {
    NSPredicate *predicate = [NSPredicate predicateWithFormat: [NSString stringWithUTF8String: format]
                                                argumentArray: [NSArray array]];
    double best = 1e18;
    long count = 0;
    for (int round = 0; round < 3; round++) {
        NSAutoreleasePool *pool = [NSAutoreleasePool new];
        double start = cpu();
        count = 0;
        for (id row in rows) if ([predicate evaluateWithObject: row]) count++;
        double each = (cpu() - start) / [rows count];
        if (each < best) best = each;
        [pool release];
    }
    printf("%ld %.0f\n", count, best);
}

// A predicate may crash or hang: each has a process of its own.
static void answer(NSArray *rows, const char *format) {
    fflush(stdout);
    pid_t child = fork();
    if (child == 0) {
        alarm(30);
        NS_DURING
            evaluate(rows, format);
        NS_HANDLER
            printf("-1 -1\n");
        NS_ENDHANDLER
        fflush(stdout);
        _exit(0);
    }
    int status = 1;
    if (child < 0 || waitpid(child, &status, 0) < 0 || status != 0) printf("-1 -1\n");
}

int main(int argc, char **argv) {
    if (argc < 3) return 64;
    NSAutoreleasePool *pool = [NSAutoreleasePool new];
    NSArray *rows = readRows(argv[2], strtoul(argv[1], NULL, 10));
    while (fgets(line, sizeof line, stdin)) {
        line[strcspn(line, "\n")] = 0;
        answer(rows, line);
    }
    [pool release];
    return 0;
}
