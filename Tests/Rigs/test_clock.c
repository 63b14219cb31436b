// Simulated time for the threads of one program, preloaded with LD_PRELOAD: CLOCK_MONOTONIC advances only by what its
// audio threads wait for. With the test card's setting `virtual 1` a day of sound passes in a minute, and every timeout,
// position and xrun comes when it would in real time.
#define _GNU_SOURCE
#include <fcntl.h>
#include <limits.h>
#include <poll.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

static atomic_llong now_ns;
static __thread int is_audio; // 0: not known, 1: yes, -1: no

static int audio(void) {
    if (is_audio == 0) {
        char name[16] = "";
        pthread_getname_np(pthread_self(), name, sizeof name);
        is_audio = strncmp(name, "audio-", 6) == 0 ? 1 : -1;
    }
    return is_audio > 0;
}

// The program may set a limit that time does not pass, so that a reader can keep up. 0: no limit. Below 0: time stands
// still and no thread waits, so that the program can stop a stream at a moment of its choice.
static atomic_llong limit_ns;
void test_clock_limit(long long nanoseconds) { atomic_store(&limit_ns, nanoseconds); }

// With TEST_CLOCK_TURNS=N in the environment, time passes in turns of N microseconds, and only while every other thread
// that has ever waited is waiting. Each of these threads lets the audio threads advance by a turn, or to the end of its
// wait. A program that looks at its streams ten times a second then does so ten times in each simulated second, and no
// sound arrives faster than it is analysed.
static long long turn_length(void) {
    static atomic_llong length; // in nanoseconds; 0: not known yet, -1: no turns
    if (atomic_load(&length) == 0) {
        const char *microseconds = getenv("TEST_CLOCK_TURNS");
        atomic_store(&length, microseconds ? atoll(microseconds) * 1000 : -1);
    }
    return atomic_load(&length);
}
static int takes_turns(void) { return turn_length() > 0; }
static atomic_llong turn_ns;
static atomic_int known, idle;
static __thread int is_known;

// The moment that each audio thread waits for; 0 while it works. Time advances to the earliest of these moments, and only
// while all of these threads wait: playback and capture see the same clock however a busy machine schedules them.
enum { SLEEPERS = 64 };
static pthread_mutex_t sleepers_lock = PTHREAD_MUTEX_INITIALIZER;
static struct { int in_use; long long until; } sleepers[SLEEPERS];
static pthread_key_t sleeper_key;
static pthread_once_t sleeper_once = PTHREAD_ONCE_INIT;
static __thread int sleeper = -1;

static void leave(void *number) {
    pthread_mutex_lock(&sleepers_lock);
    sleepers[(long)number - 1].in_use = 0;
    sleepers[(long)number - 1].until = 0;
    pthread_mutex_unlock(&sleepers_lock);
}
static void make_sleeper_key(void) { pthread_key_create(&sleeper_key, leave); }

// Registers the calling audio thread, at its first look at the clock, as one that the others wait for.
static void enter(void) {
    if (sleeper >= 0) return;
    pthread_once(&sleeper_once, make_sleeper_key);
    pthread_mutex_lock(&sleepers_lock);
    for (int i = 0; i < SLEEPERS && sleeper < 0; i++)
        if (!sleepers[i].in_use) sleeper = i;
    if (sleeper < 0) abort();
    sleepers[sleeper].in_use = 1;
    sleepers[sleeper].until = 0;
    pthread_mutex_unlock(&sleepers_lock);
    // When the thread ends, the others no longer wait for it.
    pthread_setspecific(sleeper_key, (void *)(long)(sleeper + 1));
}

// Sets the moment that the calling audio thread waits for; 0: none.
static void note_waiting(long long until) {
    enter();
    pthread_mutex_lock(&sleepers_lock);
    sleepers[sleeper].until = until;
    pthread_mutex_unlock(&sleepers_lock);
}

static void sleep_until(long long until) {
    note_waiting(until);
    pthread_mutex_lock(&sleepers_lock);
    // At most ten seconds of real time, so that a thread that hangs shows as one that missed its deadlines.
    for (int tries = 0; atomic_load(&now_ns) < until; tries++) {
        int is_first = 1;
        for (int i = 0; i < SLEEPERS; i++)
            if (sleepers[i].in_use && (sleepers[i].until == 0 || sleepers[i].until < until)) is_first = 0;
        if (is_first || tries >= 100000) {
            atomic_store(&now_ns, until);
            break;
        }
        pthread_mutex_unlock(&sleepers_lock);
        usleep(100);
        pthread_mutex_lock(&sleepers_lock);
    }
    sleepers[sleeper].until = 0;
    pthread_mutex_unlock(&sleepers_lock);
}

// Called by the card when the program waits for it.
void test_clock_advance(long long nanoseconds) {
    long long limit;
    // Wait at most 250 ms of real time, in case the peer's stream is closing.
    if (takes_turns()) for (int i = 0; i < 2500 && atomic_load(&now_ns) > atomic_load(&turn_ns); i++) usleep(100);
    while ((limit = atomic_load(&limit_ns)) > 0 && atomic_load(&now_ns) > limit) usleep(20);
    if (limit >= 0) sleep_until(atomic_load(&now_ns) + nanoseconds);
}

int clock_gettime(clockid_t id, struct timespec *time) {
    if (id != CLOCK_MONOTONIC) return (int)syscall(SYS_clock_gettime, id, time);
    if (audio()) enter();
    if (atomic_load(&now_ns) == 0) {
        struct timespec real;
        syscall(SYS_clock_gettime, id, &real);
        long long expected = 0;
        atomic_compare_exchange_strong(&now_ns, &expected, real.tv_sec * 1000000000LL + real.tv_nsec);
    }
    // A call takes some time: 50 ns.
    long long now = audio() ? atomic_fetch_add(&now_ns, 50) : atomic_load(&now_ns);
    time->tv_sec = now / 1000000000;
    time->tv_nsec = now % 1000000000;
    return 0;
}

// An audio thread whose wait times out advances the clock by its timeout; waits of other threads do not. A negative time
// means no timeout.
static int wait_for(struct pollfd *entries, nfds_t count, long long nanoseconds) {
    struct timespec none = {0, 0}, limit = {nanoseconds / 1000000000, nanoseconds % 1000000000};
    if (!audio() && nanoseconds != 0 && takes_turns()) {
        if (!is_known) { is_known = 1; atomic_fetch_add(&known, 1); }
        atomic_fetch_add(&idle, 1);
        long long end = nanoseconds < 0 ? 0 : atomic_load(&now_ns) + nanoseconds;
        int ready;
        while ((ready = (int)syscall(SYS_ppoll, entries, count, &none, 0, 0)) == 0) {
            long long now = atomic_load(&now_ns), turn = atomic_load(&turn_ns), next = now + turn_length();
            if (end && now >= end) break;
            if (end && next > end) next = end;
            if (atomic_load(&idle) >= atomic_load(&known) && turn < next)
                atomic_compare_exchange_strong(&turn_ns, &turn, next);
            // A thread without a timeout waits for others, which may not have begun to wait yet.
            usleep(end ? 20 : 2000);
        }
        atomic_fetch_sub(&idle, 1);
        return ready;
    }
    if (!audio()) return (int)syscall(SYS_ppoll, entries, count, nanoseconds < 0 ? 0 : &limit, 0, 0);
    if (nanoseconds < 0) {
        note_waiting(LLONG_MAX);
        int woken = (int)syscall(SYS_ppoll, entries, count, 0, 0, 0);
        note_waiting(0);
        return woken;
    }
    int ready = (int)syscall(SYS_ppoll, entries, count, &none, 0, 0);
    if (ready == 0) test_clock_advance(nanoseconds);
    return ready;
}

int poll(struct pollfd *entries, nfds_t count, int timeout) {
    return wait_for(entries, count, timeout < 0 ? -1 : timeout * 1000000LL);
}

int ppoll(struct pollfd *entries, nfds_t count, const struct timespec *timeout, const sigset_t *signals) {
    (void)signals; // No caller passes any.
    return wait_for(entries, count, timeout ? timeout->tv_sec * 1000000000LL + timeout->tv_nsec : -1);
}

// With TEST_CLOCK_WRITES=FILE in the environment, each write to standard output adds a line to FILE: the simulated time in
// nanoseconds, the number of bytes, and whether it inverted the screen (SGR 7).
ssize_t write(int file, const void *bytes, size_t count) {
    static int log = -2;
    if (file == 1) {
        const char *name = log == -2 ? getenv("TEST_CLOCK_WRITES") : 0;
        if (log == -2) log = name ? open(name, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0644) : -1;
        if (log >= 0) {
            struct timespec time;
            clock_gettime(CLOCK_MONOTONIC, &time);
            dprintf(log, "%lld %zu %d\n", time.tv_sec * 1000000000LL + time.tv_nsec, count,
                    memmem(bytes, count, "\033[0;7m", 6) != 0);
        }
    }
    return syscall(SYS_write, file, bytes, count);
}
