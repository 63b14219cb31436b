#ifndef WELL_TEMPERED_CSYSTEM_H
#define WELL_TEMPERED_CSYSTEM_H

// Linux calls that Swift's Glibc module does not import.

#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include <pthread.h>
#include <sched.h>
#include <sys/eventfd.h>
#include <sys/mman.h>
#include <sys/timex.h>

// A descriptor to wake a poll with: a counter, non-blocking, closed on exec. Below zero: errno says why.
static inline int csystem_eventfd(void) { return eventfd(0, EFD_NONBLOCK | EFD_CLOEXEC); }

// pthread_setname_np, declared here because it hides behind _GNU_SOURCE. At most 15 characters.
extern int pthread_setname_np(pthread_t, const char *);
static inline void csystem_name_thread(const char *name) { pthread_setname_np(pthread_self(), name); }

// Real-time priority for the calling thread; threads it starts fall back to the normal one. 0, or an errno.
static inline int csystem_realtime_priority(int priority) {
    struct sched_param parameter = {.sched_priority = priority};
    const int reset_on_fork = 0x40000000; // SCHED_RESET_ON_FORK, Linux's number since 2.6.32
    return pthread_setschedparam(pthread_self(), SCHED_FIFO | reset_on_fork, &parameter);
}

// What disciplines the system's clock: 1 and the estimated error in microseconds when a time service holds it, 0 when
// nobody does, below zero when the kernel does not say.
static inline int csystem_clock_is_disciplined(long *error_microseconds) {
    struct timex state = {.modes = 0};
    if (adjtimex(&state) < 0) return -1;
    *error_microseconds = state.esterror;
    return (state.status & STA_UNSYNC) ? 0 : 1;
}

// Keeps what this process has in memory from being paged out again, without reading in what it has not. 0, or below
// zero with errno.
static inline int csystem_pin_memory(void) {
    const int on_fault = 4; // MCL_ONFAULT, Linux's number since 4.4
    return mlockall(MCL_CURRENT | on_fault);
}

#endif
