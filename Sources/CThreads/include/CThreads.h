// Tells the threads of this process apart.
#ifndef CTHREADS_H
#define CTHREADS_H

#include <stdint.h>

/// A number of the calling thread's own: from 1, never given to another thread of the process, also not when this one
/// has ended. The numbers of the system (pthread_self, gettid) are given out again.
uint64_t ct_thread_number(void);

#endif
