// libsndfile reads the recordings; malloc.h counts the bytes that a detector holds.
#include <malloc.h>
#include <sndfile.h>
