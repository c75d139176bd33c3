// Times +[NSPredicate predicateWithFormat:] of GNUstep: one format a line in, CPU nanoseconds of one parse a line out.
#import <Foundation/Foundation.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

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

// A text may crash or hang the parser: each has a process of its own.
static void answer(const char *line) {
    fflush(stdout);
    pid_t child = fork();
    if (child == 0) {
        double best = -1;
        alarm(5);
        NS_DURING
            best = parse(line);
        NS_HANDLER
            best = -1;
        NS_ENDHANDLER
        printf("%.0f\n", best);
        fflush(stdout);
        _exit(0);
    }
    int status = 1;
    if (child < 0 || waitpid(child, &status, 0) < 0 || status != 0) printf("-1\n");
}

int main(void) {
    NSAutoreleasePool *pool = [NSAutoreleasePool new];
    static char line[1 << 20];
    while (fgets(line, sizeof line, stdin)) {
        line[strcspn(line, "\n")] = 0;
        answer(line);
    }
    fflush(stdout);
    [pool release];
    return 0;
}
