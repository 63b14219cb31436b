#ifndef WELL_TEMPERED_CREALTIME_VECTOR_H
#define WELL_TEMPERED_CREALTIME_VECTOR_H

// Four floats at once: one instruction each on x86-64 (SSE) and ARM (NEON). Swift imports the type as SIMD4<Float>.
//
// Swift's own floating-point vector operators (6.3) are loops over the lanes, which the optimiser has to vectorise again.
// Where lanes are also shuffled it does that badly: it mixes real and imaginary parts in one register and spends the time
// on moving them. A debug build does not vectorise at all. These functions stay vectors down to the instruction.
//
// Each rounds once and none is a fused multiply-add, so every platform computes the same bits.

typedef float rt_float4 __attribute__((ext_vector_type(4)));

#define RT_VECTOR static inline REALTIME_SAFE __attribute__((always_inline)) rt_float4

RT_VECTOR rt_add4(rt_float4 a, rt_float4 b) { return a + b; }
RT_VECTOR rt_subtract4(rt_float4 a, rt_float4 b) { return a - b; }
RT_VECTOR rt_multiply4(rt_float4 a, rt_float4 b) { return a * b; }
RT_VECTOR rt_splat4(float a) { return (rt_float4)(a); }

// Any 16 bytes; no alignment is needed.
RT_VECTOR rt_load4(const float *at) {
    rt_float4 a;
    memcpy(&a, at, sizeof a);
    return a;
}
static inline REALTIME_SAFE __attribute__((always_inline)) void rt_store4(float *at, rt_float4 a) {
    memcpy(at, &a, sizeof a);
}

// a0 b0 a1 b1 and a2 b2 a3 b3.
RT_VECTOR rt_interleave_low4(rt_float4 a, rt_float4 b) { return __builtin_shufflevector(a, b, 0, 4, 1, 5); }
RT_VECTOR rt_interleave_high4(rt_float4 a, rt_float4 b) { return __builtin_shufflevector(a, b, 2, 6, 3, 7); }
// a0 a1 b0 b1 and a2 a3 b2 b3.
RT_VECTOR rt_join_low4(rt_float4 a, rt_float4 b) { return __builtin_shufflevector(a, b, 0, 1, 4, 5); }
RT_VECTOR rt_join_high4(rt_float4 a, rt_float4 b) { return __builtin_shufflevector(a, b, 2, 3, 6, 7); }
// a0 a2 b0 b2 and a1 a3 b1 b3.
RT_VECTOR rt_even4(rt_float4 a, rt_float4 b) { return __builtin_shufflevector(a, b, 0, 2, 4, 6); }
RT_VECTOR rt_odd4(rt_float4 a, rt_float4 b) { return __builtin_shufflevector(a, b, 1, 3, 5, 7); }
// a3 a2 a1 a0.
RT_VECTOR rt_reverse4(rt_float4 a) { return __builtin_shufflevector(a, a, 3, 2, 1, 0); }

#undef RT_VECTOR
#endif
