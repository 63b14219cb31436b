#ifndef CALLOCATION_PROBE_H
#define CALLOCATION_PROBE_H

// Counts the heap calls of the calling thread, by standing in for glibc's allocator in the test binary.
// Where there is no glibc the count stays at -1, which no test mistakes for zero.

void allocation_probe_reset(void);
long allocation_probe_count(void);

// The bytes that the allocator has handed out to the whole process and not got back; -1 where there is no glibc.
long allocation_probe_bytes(void);

#endif
