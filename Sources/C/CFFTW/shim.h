#ifndef WELL_TEMPERED_CFFTW_H
#define WELL_TEMPERED_CFFTW_H

#include <fftw3.h>

// The part of the real-time allow-list that needs FFTW (the rest is CRealtime.h): here, so that a build without
// the trait FFTW sees nothing of it. The attributes tell Swift's compile-time check that a call neither locks
// nor allocates.
#define CFFTW_REALTIME_SAFE __attribute__((swift_attr("@_noLocks"), swift_attr("@_noAllocation")))

// Both execute an immutable plan on the caller's own memory: FFTW documents the new-array execute functions as
// thread-safe, and they do not allocate.
static inline CFFTW_REALTIME_SAFE void rt_fftwf_execute_r2c(const fftwf_plan plan, float *in, fftwf_complex *out) {
    fftwf_execute_dft_r2c(plan, in, out);
}
static inline CFFTW_REALTIME_SAFE void rt_fftwf_execute_c2r(const fftwf_plan plan, fftwf_complex *in, float *out) {
    fftwf_execute_dft_c2r(plan, in, out);
}

#endif
