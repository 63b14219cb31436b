// The functions are written in Swift (Sources/DSP/EmbeddingC); this file lets the header of their types be a module.
#include "well_tempered_types.h"
