/* Buffers a pulled stream of bytes for the readers. */
#include "pc_source.h"

#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

struct pc_cancel_flag {
  atomic_bool is_set;
  /* Nanoseconds of the monotonic clock; 0 is none. */
  _Atomic(uint64_t) deadline;
};

static uint64_t now(void) {
  struct timespec time;
  if (clock_gettime(CLOCK_MONOTONIC, &time) != 0) return 0;
  return (uint64_t)time.tv_sec * 1000000000u + (uint64_t)time.tv_nsec;
}

pc_cancel_flag *pc_cancel_flag_create(void) {
  pc_cancel_flag *flag = malloc(sizeof *flag);
  if (flag != NULL) {
    atomic_init(&flag->is_set, false);
    atomic_init(&flag->deadline, 0);
  }
  return flag;
}

void pc_cancel_flag_destroy(pc_cancel_flag *flag) { free(flag); }

void pc_cancel_flag_set(pc_cancel_flag *flag) { atomic_store_explicit(&flag->is_set, true, memory_order_relaxed); }

void pc_cancel_flag_set_time_left(pc_cancel_flag *flag, uint64_t nanoseconds) {
  uint64_t start = now();
  uint64_t deadline = nanoseconds > UINT64_MAX - start ? UINT64_MAX : start + nanoseconds;
  atomic_store_explicit(&flag->deadline, deadline, memory_order_relaxed);
}

bool pc_cancel_flag_is_late(const pc_cancel_flag *flag) {
  uint64_t deadline = atomic_load_explicit(&flag->deadline, memory_order_relaxed);
  return deadline != 0 && now() >= deadline;
}

bool pc_cancel_flag_is_set(const pc_cancel_flag *flag) {
  return atomic_load_explicit(&flag->is_set, memory_order_relaxed) || pc_cancel_flag_is_late(flag);
}

pc_source_state *pc_source_create(pc_source source, const pc_cancel_flag *cancel, size_t capacity) {
  if (capacity < 4096) capacity = 4096;
  pc_source_state *state = calloc(1, sizeof *state);
  if (state == NULL) return NULL;
  uint8_t *buffer = malloc(capacity);
  if (buffer == NULL) {
    free(state);
    return NULL;
  }
  state->source = source;
  state->cancel = cancel;
  state->buffer = buffer;
  state->capacity = capacity;
  return state;
}

void pc_source_destroy(pc_source_state *state) {
  free(state->buffer);
  free(state);
}

bool pc_source_is_cancelled(const pc_source_state *state) { return pc_cancel_flag_is_set(state->cancel); }

/* Reads once behind the buffered bytes. */
static bool read_once(pc_source_state *state) {
  if (state->has_ended || state->end >= state->capacity || pc_source_is_cancelled(state)) return false;
  size_t room = state->capacity - state->end;
  size_t got = state->source.read(state->source.context, state->buffer + state->end, room);
  if (got > room) got = room;
  if (got == 0) {
    state->has_ended = true;
    return false;
  }
  state->end += got;
  state->total += got;
  return true;
}

size_t pc_source_prefetch(pc_source_state *state, size_t count) {
  if (state->position > 0) {
    memmove(state->buffer, state->buffer + state->position, state->end - state->position);
    state->end -= state->position;
    state->position = 0;
  }
  while (state->end < count && read_once(state)) continue;
  return state->end;
}

bool pc_source_refill(pc_source_state *state) {
  state->position = 0;
  state->end = 0;
  return read_once(state);
}

uint64_t pc_source_drain(pc_source_state *state) {
  uint64_t count = state->end - state->position;
  while (pc_source_refill(state)) count += state->end;
  state->position = state->end;
  return count;
}
