/* Counts the threads of this process that have asked for a number. */
#include "CThreads.h"

#include <stdatomic.h>

uint64_t ct_thread_number(void) {
  static _Atomic uint64_t last = 0;
  static _Thread_local uint64_t own = 0;
  if (own == 0) {
    own = atomic_fetch_add_explicit(&last, 1, memory_order_relaxed) + 1;
  }
  return own;
}
