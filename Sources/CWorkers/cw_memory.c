/* Memory of one photo serves the next. */
#include "cw_memory.h"

#include <malloc.h>

void cw_memory_keep(void) {
#if defined(__GLIBC__)
  /* Blocks above the first figure are mapped and unmapped one by one; 32 MiB is the most that glibc takes. */
  mallopt(M_MMAP_THRESHOLD, 32 << 20);
  mallopt(M_TRIM_THRESHOLD, 64 << 20);
  mallopt(M_TOP_PAD, 1 << 20);
#endif
}
