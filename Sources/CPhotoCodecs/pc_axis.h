/* The weights with which the inputs of one axis make its outputs: Lanczos-3, as wide as the shrinking asks for. */
#ifndef PC_AXIS_H
#define PC_AXIS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#pragma clang assume_nonnull begin

/* Weights come in groups of so many; an input row needs as much room behind its last pixel. */
enum { pc_tap_group = 4 };

/* What a weight of 1 is. */
enum { pc_weight_one = 1 << 14 };

/* The window of one output position: `count` inputs from `first`. Windows neither begin nor end earlier than the one
   before them. */
typedef struct pc_window {
  size_t first;
  size_t count;
} pc_window;

/* The windows of one axis and their weights, `stride` apart; behind the last weight of a window there are zeros up to the
   next whole group. The weights of a window add up to `pc_weight_one`. */
typedef struct pc_axis {
  pc_window *_Nullable windows;
  int16_t *_Nullable weights;
  size_t stride;
  /* The most inputs that one window has. */
  size_t widest;
} pc_axis;

/* Makes the axis for `in` inputs, of which the picture covers `span`, and `out` outputs; false where the weights would take
   more than 64 MiB, or there is no memory. To be freed either way. */
bool pc_axis_make(pc_axis *self, size_t in, size_t out, double span);

void pc_axis_free(pc_axis *self);

#pragma clang assume_nonnull end
#endif
