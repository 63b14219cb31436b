// The functions are written in Swift (Sources/DSP/EmbeddingC); this file lets their header be a module.
#include "well_tempered.h"
