#ifndef CMEASURED_REGION_H
#define CMEASURED_REGION_H

// Calls `work(context)`, and nothing else. Counting tools find the function by its name and count what happens inside.
void measured_region(void (*work)(void *), void *context);

#endif
