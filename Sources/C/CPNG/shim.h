#include <png.h>

// The format macros, sums of flags with casts, do not import.
static inline unsigned int png_gray_format(void) { return PNG_FORMAT_GRAY; }
static inline unsigned int png_gray_alpha_format(void) { return PNG_FORMAT_GA; }
static inline int png_has_alpha(unsigned int format) { return (format & PNG_FORMAT_FLAG_ALPHA) != 0; }
