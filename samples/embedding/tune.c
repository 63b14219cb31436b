// Prints the notes of a mono stream of 32-bit floats on standard input, from C.
//
//     cc tune.c -o tune $(pkg-config --cflags --libs welltempered)
//     sox guitar.flac -t f32 -c 1 -r 48000 - | ./tune 48000
#include <stdio.h>
#include <stdlib.h>
#include <well_tempered.h>

int main(int argc, char **argv) {
    static const char *names[] = {"C", "C#", "D", "D#", "E", "F", "F#", "G", "G#", "A", "A#", "B"};
    wt_error error;
    wt_tuner *tuner = wt_tuner_create(argc > 1 ? atof(argv[1]) : 48000, &error);
    if (!tuner) {
        fprintf(stderr, "tune: %s\n", error.message);
        return 2;
    }
    float block[1024];
    size_t count;
    int32_t shown = -1;
    while ((count = fread(block, sizeof *block, 1024, stdin)) > 0) {
        wt_tuner_process(tuner, block, count);
        wt_reading reading;
        while (wt_tuner_next(tuner, &reading)) {
            int32_t midi;
            double cents;
            // Print each new note once its pitch is known to a cent.
            if (reading.state != WT_VOICED || reading.standard_error > 1) continue;
            if (!wt_nearest_note(reading.frequency, 440, &midi, &cents) || midi == shown) continue;
            printf("%s%d %+.1f cents, %.2f Hz\n", names[midi % 12], midi / 12 - 1, cents, reading.frequency);
            shown = midi;
        }
    }
    wt_tuner_destroy(tuner);
    return 0;
}
