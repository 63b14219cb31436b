#ifndef WELL_TEMPERED_CSPOKENCOUNT_H
#define WELL_TEMPERED_CSPOKENCOUNT_H

// A count in English: "one" to "sixteen" and the words for parts of a beat, mono at 16 kHz. Written by
// packaging/spoken-count.py. LICENSE names the synthesiser.

#include <stdint.h>

/// A word among the samples.
typedef struct {
    /// `1` to `16`, `and`, `e`, `a`, `trip` or `let`.
    const char *name;
    /// Its first sample, how many it has, and which of them is the vowel onset.
    int32_t first, count, instant;
} spoken_word;

int32_t spoken_english_rate(void);
int32_t spoken_english_word_count(void);
spoken_word spoken_english_word(int32_t index);
int16_t spoken_english_sample(int32_t index);

#endif
