// fuzz TARGET [option or corpus ...]: libFuzzer, whose main calls these, with one of the targets of Tests/FuzzTests/Targets.
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

int fuzz_choose(const char *name);
int fuzz_read(const uint8_t *bytes, size_t count);
int fuzz_compares(void);
static int passes_comparisons = 1;

int LLVMFuzzerInitialize(int *argc, char ***argv) {
    if (*argc < 2 || !fuzz_choose((*argv)[1])) {
        fprintf(stderr, "fuzz: the first argument is the name of a target\n");
        exit(2);
    }
    passes_comparisons = fuzz_compares();
    // libFuzzer takes what begins with - for an option and anything else for a corpus.
    for (int i = 1; i < *argc; i++) (*argv)[i] = (*argv)[i + 1];
    *argc -= 1;
    return 0;
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t count) { return fuzz_read(bytes, count); }

// libFuzzer is told each two numbers that are compared. In a build with `PLAIN=1` the linker sends these calls here, and a target
// that compares samples or pixels for most of its time does without. libFuzzer asks where it was called from: the last call must
// be a jump.
#define COMPARISON(name, type)                                                                                                 \
    void __real___sanitizer_cov_trace_##name(type a, type b);                                                                  \
    __attribute__((no_sanitize("coverage"))) void __wrap___sanitizer_cov_trace_##name(type a, type b) {                        \
        if (passes_comparisons) __attribute__((musttail)) return __real___sanitizer_cov_trace_##name(a, b);                    \
    }
#ifdef PLAIN
COMPARISON(cmp1, uint8_t)
COMPARISON(cmp8, uint64_t)
COMPARISON(const_cmp1, uint8_t)
COMPARISON(const_cmp8, uint64_t)
#endif
