// Times +[NSPredicate predicateWithFormat:] of GNUstep: one format a line in, CPU nanoseconds of one parse a line out.
#import <Foundation/Foundation.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

static double now(void) {
    struct timespec t;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
    return t.tv_sec * 1e9 + t.tv_nsec;
}

int main(void) {
    char line[4096];
    while (fgets(line, sizeof line, stdin)) {
        line[strcspn(line, "\n")] = 0;
        double best = 1e18;
        @try {
            for (int round = 0; round < 5; round++) {
                @autoreleasepool {
                    NSString *format = [NSString stringWithUTF8String: line];
                    double start = now();
                    for (int i = 0; i < 200; i++) {
                        @autoreleasepool { [NSPredicate predicateWithFormat: format argumentArray: @[]]; }
                    }
                    double each = (now() - start) / 200;
                    if (each < best) best = each;
                }
            }
        } @catch (NSException *e) { best = -1; }
        printf("%.0f\n", best);
        fflush(stdout);
    }
    return 0;
}
