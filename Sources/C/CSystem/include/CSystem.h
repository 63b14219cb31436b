#ifndef WELL_TEMPERED_CSYSTEM_H
#define WELL_TEMPERED_CSYSTEM_H

// Linux calls that Swift's Glibc module does not import.

#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include <pthread.h>
#include <sched.h>
#include <sys/eventfd.h>

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

#endif
