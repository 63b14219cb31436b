#ifndef CLINGOT_H
#define CLINGOT_H

// lingot's ear without its window: its own core (liblingot.so.0, lingot 1.1), loaded where it is installed, given samples
// through an audio system that we register with it, as its interface for further ones has it. Its state is partly global:
// one ear at a time.

typedef struct lingot_ear lingot_ear;

// An ear for notes from `lowest` to `highest` Hz, all else as lingot has it by default, but for the size of its FFT if
// `transform` is not 0; `block` samples will come at a time. NULL without the library, or if it is another than expected.
lingot_ear *lingot_ear_new(int rate, int block, double lowest, double highest, int transform);
// How many samples its reading rests on.
int lingot_ear_window(const lingot_ear *ear);
// Hears a block, full scale +-1; returns hertz, 0 for none.
double lingot_ear_hear(lingot_ear *ear, const float *samples);
void lingot_ear_free(lingot_ear *ear);

#endif
