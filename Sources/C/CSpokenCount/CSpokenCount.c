#include "CSpokenCount.h"

// Clang 19 has #embed in every C dialect; the warning is for compilers that do not.
#pragma clang diagnostic ignored "-Wc23-extensions"

static const spoken_word words[] = {
#include "english-words.h"
};

// 16-bit little-endian samples behind a RIFF header of 44 bytes.
static const unsigned char samples[] = {
#embed "english.wav" clang::offset(44)
};

int32_t spoken_english_rate(void) { return 16000; }

int32_t spoken_english_word_count(void) { return (int32_t)(sizeof words / sizeof *words); }

spoken_word spoken_english_word(int32_t index) { return words[index]; }

int16_t spoken_english_sample(int32_t index) {
    return (int16_t)(uint16_t)(samples[2 * index] | samples[2 * index + 1] << 8);
}
