#define _GNU_SOURCE
#include "CLinuxCalls.h"

#include <pthread.h>
#include <sched.h>
#include <stdio.h>
#include <sys/eventfd.h>
#include <sys/mman.h>
#include <sys/timex.h>

int linux_eventfd(void) { return eventfd(0, EFD_NONBLOCK | EFD_CLOEXEC); }

void linux_name_thread(const char *name) { pthread_setname_np(pthread_self(), name); }

int linux_realtime_priority(int priority) {
    struct sched_param parameter = {.sched_priority = priority};
    return pthread_setschedparam(pthread_self(), SCHED_FIFO | SCHED_RESET_ON_FORK, &parameter);
}

int linux_clock_is_disciplined(long *error_microseconds) {
    struct timex state = {.modes = 0};
    if (adjtimex(&state) < 0) return -1;
    *error_microseconds = state.esterror;
    return (state.status & STA_UNSYNC) ? 0 : 1;
}

int linux_pin_memory(void) { return mlockall(MCL_CURRENT | MCL_ONFAULT); }

void *linux_hide_errors_of_c(void) {
    static FILE *nowhere;
    if (!nowhere) nowhere = fopen("/dev/null", "we");
    FILE *shown = stderr;
    if (nowhere) stderr = nowhere;
    return shown;
}

void linux_show_errors_of_c(void *shown) { stderr = shown; }
