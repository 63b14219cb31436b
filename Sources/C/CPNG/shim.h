#include <png.h>

// The format macros, sums of flags with casts, do not import.
static inline unsigned int png_gray_format(void) { return PNG_FORMAT_GRAY; }
