/* A stream of bytes behind one big buffer, with a flag by which another thread can end it. */
#ifndef PC_SOURCE_H
#define PC_SOURCE_H

#include "pc_common.h"

#pragma clang assume_nonnull begin

/* Set by any thread, looked at by the one that reads. */
typedef struct pc_cancel_flag pc_cancel_flag;

pc_cancel_flag *_Nullable pc_cancel_flag_create(void);
void pc_cancel_flag_destroy(pc_cancel_flag *flag);
void pc_cancel_flag_set(pc_cancel_flag *flag);
/* Sets the flag by itself when this much time is over. */
void pc_cancel_flag_set_time_left(pc_cancel_flag *flag, uint64_t nanoseconds);
/* Whether the time is over. */
bool pc_cancel_flag_is_late(const pc_cancel_flag *flag);
/* Whether it was set or the time is over. */
bool pc_cancel_flag_is_set(const pc_cancel_flag *flag);

/* One stream. Used by one thread at a time. Unread bytes are buffer[position ..< end]. */
typedef struct pc_source_state {
  pc_source source;
  const pc_cancel_flag *cancel;
  uint8_t *buffer;
  size_t capacity;
  size_t position;
  size_t end;
  /* All bytes that came from `source` so far. */
  uint64_t total;
  bool has_ended;
} pc_source_state;

/* Makes a stream with a buffer of `capacity` bytes (at least 4096 are taken); NULL without memory. `cancel` is not owned. */
pc_source_state *_Nullable pc_source_create(pc_source source, const pc_cancel_flag *cancel, size_t capacity);
void pc_source_destroy(pc_source_state *state);

/* Reads until at least `count` unread bytes are buffered, the buffer is full or the stream ends; returns how many are. */
size_t pc_source_prefetch(pc_source_state *state, size_t count);

/* Fills an empty buffer. False at the end of the stream, or once it is cancelled. */
bool pc_source_refill(pc_source_state *state);

/* Reads the stream to its end and returns how many bytes that were, buffered ones included. */
uint64_t pc_source_drain(pc_source_state *state);

bool pc_source_is_cancelled(const pc_source_state *state);

#pragma clang assume_nonnull end
#endif
