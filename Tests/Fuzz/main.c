// fuzz TARGET [option or corpus ...]: libFuzzer, whose main calls these, with one of the targets of Tests/FuzzTests/Targets.
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

int fuzz_choose(const char *name);
int fuzz_read(const uint8_t *bytes, size_t count);

int LLVMFuzzerInitialize(int *argc, char ***argv) {
    if (*argc < 2 || !fuzz_choose((*argv)[1])) {
        fprintf(stderr, "fuzz: the first argument is the name of a target\n");
        exit(2);
    }
    // libFuzzer takes what begins with - for an option and anything else for a corpus.
    for (int i = 1; i < *argc; i++) (*argv)[i] = (*argv)[i + 1];
    *argc -= 1;
    return 0;
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t count) { return fuzz_read(bytes, count); }
