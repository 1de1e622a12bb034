/* What the readers and writers share: status codes, limits, and where bytes come from. */
#ifndef PC_COMMON_H
#define PC_COMMON_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#pragma clang assume_nonnull begin

/* Reads up to `capacity` bytes into `buffer`; 0 is the end. It may not call back into the codec that called it. */
typedef size_t (*pc_read_fn)(void *_Nullable context, uint8_t *buffer, size_t capacity);

/* Where a reader's bytes come from. */
typedef struct pc_source {
  pc_read_fn read;
  void *_Nullable context;
} pc_source;

#pragma clang assume_nonnull end
#endif
