#include "CMeasuredRegion.h"

__attribute__((noinline)) void measured_region(void (*work)(void *), void *context) {
    work(context);
    // Not a tail call: the function has to be left after the work.
    __asm__ volatile("");
}
