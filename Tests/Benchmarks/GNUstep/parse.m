// Times +[NSPredicate predicateWithFormat:] of GNUstep: one format a line in, CPU nanoseconds of one parse a line out.
#import <Foundation/Foundation.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

static double cpu(void) {
    struct timespec t;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
    return t.tv_sec * 1e9 + t.tv_nsec;
}

static double parse(const char *line) {
    double best = 1e18;
    NSString *format = [NSString stringWithUTF8String: line];
    NSArray *none = [NSArray array];
    for (int round = 0; round < 5; round++) {
        double start = cpu();
        for (int i = 0; i < 200; i++) {
            NSAutoreleasePool *pool = [NSAutoreleasePool new];
            [NSPredicate predicateWithFormat: format argumentArray: none];
            [pool release];
        }
        double each = (cpu() - start) / 200;
        if (each < best) best = each;
    }
    return best;
}

int main(void) {
    NSAutoreleasePool *pool = [NSAutoreleasePool new];
    char line[4096];
    while (fgets(line, sizeof line, stdin)) {
        double best = -1;
        line[strcspn(line, "\n")] = 0;
        NS_DURING
            best = parse(line);
        NS_HANDLER
            best = -1;
        NS_ENDHANDLER
        printf("%.0f\n", best);
        fflush(stdout);
    }
    [pool release];
    return 0;
}
