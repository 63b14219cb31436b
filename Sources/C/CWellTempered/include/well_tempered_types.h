#ifndef WELL_TEMPERED_TYPES_H
#define WELL_TEMPERED_TYPES_H

// What the functions of well_tempered.h take and give; written by hand, because the layout of a struct is C's to decide.

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// Why a `create` returned NULL.
typedef struct wt_error {
    int32_t status;    // for exit(): 2 a value makes no sense, 75 out of memory; 0 no error
    char message[256]; // what is wrong and what to do next, UTF-8, ends with a zero
} wt_error;

// ---- Tuner ----

// What is inside is nobody's business but the library's.
typedef struct wt_tuner wt_tuner;
typedef wt_tuner *wt_tuner_handle;

typedef enum wt_state {
    WT_SILENCE = 0,  // nothing worth measuring
    WT_ATTACK = 1,   // a sound has begun, its pitch is not certain yet
    WT_VOICED = 2,   // there is a pitch
    WT_UNVOICED = 3, // sound, but no pitch
} wt_state;

typedef struct wt_reading {
    int64_t frame;         // the sample after the last one used, counted from the first ever processed
    int32_t state;         // a wt_state
    int32_t window;        // how many of the newest samples the frequency rests on
    double frequency;      // Hz, of the first partial; 0 unless voiced
    double periodicity;    // Hz, repetition rate of the waveform: above `frequency` on a stiff string; 0 unless voiced
    double clarity;        // 0 noise ... 1 perfectly periodic
    double level;          // dB of full scale
    double standard_error; // cents; 0 when unknown
    double inharmonicity;  // B of a stiff string: partial k at k f0 sqrt(1 + B k^2); 0 when unknown
} wt_reading;

// ---- Metronome ----

typedef struct wt_metronome wt_metronome;
typedef wt_metronome *wt_metronome_handle;

typedef struct wt_beat {
    int64_t frame;        // where it lies, counted from the first frame ever rendered; exact for ever
    int64_t bar;          // from 1
    int32_t beat;         // within the bar, from 1
    int32_t beats_in_bar;
    int32_t level;        // 0 silent, 1 normal, 2 medium, 3 accented
    int32_t part;         // 0 the beat itself, else which part of its subdivision
} wt_beat;

#endif
