#include "CAllocationProbe.h"

#include <errno.h>
#ifdef __linux__
#include <malloc.h>
#endif
#include <stdatomic.h>
#include <stddef.h>

#if defined(__GLIBC__) && !defined(__SANITIZE_THREAD__) && !defined(__SANITIZE_ADDRESS__) && \
    !(defined(__has_feature) && (__has_feature(thread_sanitizer) || __has_feature(address_sanitizer)))

// initial-exec: the counter must not itself be allocated on first use.
static __thread long calls __attribute__((tls_model("initial-exec")));

extern void *__libc_malloc(size_t);
extern void *__libc_calloc(size_t, size_t);
extern void *__libc_realloc(void *, size_t);
extern void *__libc_memalign(size_t, size_t);
extern void __libc_free(void *);

// What all threads hold. mallinfo2 would count what each thread's cache keeps of freed memory too: up to 240 kB.
static _Atomic long bytes;

static void *counted(void *memory) {
    if (memory != NULL) atomic_fetch_add_explicit(&bytes, (long)malloc_usable_size(memory), memory_order_relaxed);
    return memory;
}

void *malloc(size_t size) { calls++; return counted(__libc_malloc(size)); }
void *calloc(size_t count, size_t size) { calls++; return counted(__libc_calloc(count, size)); }
void *realloc(void *at, size_t size) {
    calls++;
    long before = at != NULL ? (long)malloc_usable_size(at) : 0;
    void *memory = __libc_realloc(at, size);
    // With a size of 0 the memory is freed; if there is not enough, it stays.
    if (memory != NULL || size == 0) atomic_fetch_sub_explicit(&bytes, before, memory_order_relaxed);
    return counted(memory);
}
void free(void *at) {
    calls += at != NULL;
    if (at != NULL) atomic_fetch_sub_explicit(&bytes, (long)malloc_usable_size(at), memory_order_relaxed);
    __libc_free(at);
}
void *memalign(size_t alignment, size_t size) { calls++; return counted(__libc_memalign(alignment, size)); }
void *aligned_alloc(size_t alignment, size_t size) { calls++; return counted(__libc_memalign(alignment, size)); }
int posix_memalign(void **at, size_t alignment, size_t size) {
    calls++;
    void *memory = counted(__libc_memalign(alignment, size));
    if (memory == NULL) return ENOMEM;
    *at = memory;
    return 0;
}

void allocation_probe_reset(void) { calls = 0; }
long allocation_probe_count(void) { return calls; }
long allocation_probe_bytes(void) { return atomic_load_explicit(&bytes, memory_order_relaxed); }

#else

void allocation_probe_reset(void) {}
long allocation_probe_count(void) { return -1; }
long allocation_probe_bytes(void) { return -1; }

#endif
