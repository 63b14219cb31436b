#ifndef WELL_TEMPERED_CREALTIME_H
#define WELL_TEMPERED_CREALTIME_H

// The C functions that the audio thread may call. Swift's real-time check rejects a plain C function because it cannot
// see inside. The functions here carry the attribute and have been reviewed: no lock, no allocation, no system call, a
// bounded number of steps.

#include <math.h>
#include <stdint.h>
#include <string.h>

#define REALTIME_SAFE __attribute__((swift_attr("@_noLocks"), swift_attr("@_noAllocation")))

// A compiler built-in: one instruction on every supported target.
static inline REALTIME_SAFE double rt_sqrt(double x) { return __builtin_sqrt(x); }

// libm: pure functions of their arguments, tables in read-only memory.
static inline REALTIME_SAFE double rt_floor(double x) { return floor(x); }
static inline REALTIME_SAFE double rt_ceil(double x) { return ceil(x); }
// Nearest, ties away from zero.
static inline REALTIME_SAFE double rt_round(double x) { return round(x); }
static inline REALTIME_SAFE double rt_sin(double x) { return sin(x); }
static inline REALTIME_SAFE double rt_cos(double x) { return cos(x); }
static inline REALTIME_SAFE double rt_atan2(double y, double x) { return atan2(y, x); }
static inline REALTIME_SAFE double rt_exp(double x) { return exp(x); }
static inline REALTIME_SAFE double rt_expm1(double x) { return expm1(x); }
static inline REALTIME_SAFE double rt_exp2(double x) { return exp2(x); }
static inline REALTIME_SAFE double rt_log(double x) { return log(x); }
static inline REALTIME_SAFE double rt_log1p(double x) { return log1p(x); }
static inline REALTIME_SAFE double rt_log2(double x) { return log2(x); }
static inline REALTIME_SAFE double rt_log10(double x) { return log10(x); }
static inline REALTIME_SAFE double rt_pow(double x, double y) { return pow(x, y); }

// Memory: the caller owns both ranges and has checked the lengths.
static inline REALTIME_SAFE void rt_copy(void *to, const void *from, size_t bytes) { memcpy(to, from, bytes); }
static inline REALTIME_SAFE void rt_move(void *to, const void *from, size_t bytes) { memmove(to, from, bytes); }

// Flush-to-zero: arithmetic on denormal numbers, which a decaying tail reaches, can take a hundred times as long.
// Returns the previous state of the thread's control register, for rt_denormals_restore.
#if defined(__x86_64__)
#include <xmmintrin.h>
static inline REALTIME_SAFE uint64_t rt_denormals_flush(void) {
    unsigned int before = _mm_getcsr();
    _mm_setcsr(before | 0x8040u); // flush results to zero, read operands as zero
    return before;
}
static inline REALTIME_SAFE void rt_denormals_restore(uint64_t before) { _mm_setcsr((unsigned int)before); }
#elif defined(__aarch64__)
static inline REALTIME_SAFE uint64_t rt_denormals_flush(void) {
    uint64_t before;
    __asm__ volatile("mrs %0, fpcr" : "=r"(before));
    __asm__ volatile("msr fpcr, %0" : : "r"(before | (1ull << 24)));
    return before;
}
static inline REALTIME_SAFE void rt_denormals_restore(uint64_t before) {
    __asm__ volatile("msr fpcr, %0" : : "r"(before));
}
#else
static inline REALTIME_SAFE uint64_t rt_denormals_flush(void) { return 0; }
static inline REALTIME_SAFE void rt_denormals_restore(uint64_t before) { (void)before; }
#endif

#include "CRealtimeVector.h"

#endif
