#include "CAllocationProbe.h"

#include <errno.h>
#ifdef __linux__
#include <malloc.h>
#endif
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

void *malloc(size_t size) { calls++; return __libc_malloc(size); }
void *calloc(size_t count, size_t size) { calls++; return __libc_calloc(count, size); }
void *realloc(void *at, size_t size) { calls++; return __libc_realloc(at, size); }
void free(void *at) { calls += at != NULL; __libc_free(at); }
void *memalign(size_t alignment, size_t size) { calls++; return __libc_memalign(alignment, size); }
void *aligned_alloc(size_t alignment, size_t size) { calls++; return __libc_memalign(alignment, size); }
int posix_memalign(void **at, size_t alignment, size_t size) {
    calls++;
    void *memory = __libc_memalign(alignment, size);
    if (memory == NULL) return ENOMEM;
    *at = memory;
    return 0;
}

void allocation_probe_reset(void) { calls = 0; }
long allocation_probe_count(void) { return calls; }
long allocation_probe_bytes(void) {
    struct mallinfo2 all = mallinfo2();
    return (long)(all.uordblks + all.hblkhd);
}

#else

void allocation_probe_reset(void) {}
long allocation_probe_count(void) { return -1; }
long allocation_probe_bytes(void) { return -1; }

#endif
