/* The loops of the resizer over rows of lanes: 16-bit numbers, one a gray pixel and four a coloured one.
 *
 * A sample of a picture is `pc_sample_one` times its value in a lane. The loops know whole numbers alone, each product is
 * rounded for itself, and no sum can leave its bits (`pc_axis` sees to that): every kind of processor gives the same bytes.
 * So do the weights and the means of boxes, which are made in floating point: by operations that IEEE 754 rounds in one way
 * only, none of them fused (FP_CONTRACT). */
#ifndef PC_LANES_H
#define PC_LANES_H

#include "pc_axis.h"

#pragma clang assume_nonnull begin

enum { pc_sample_one = 128 };

/* What is left of `pc_sample_one` once a lane has been multiplied with a weight. */
enum { pc_weighed_one = 64, pc_weighed_bits = 6 };

/* Rows of lanes are as long as whole blocks of so many, and hold zeros behind their last pixel. */
enum { pc_lane_block = 64 };

/* How many lanes a row of `pixels` takes, the room of whole blocks and of whole groups of taps included. */
static inline size_t pc_lane_room(size_t pixels, size_t lanes) {
  return ((pixels + pc_tap_group) * lanes + pc_lane_block - 1) / pc_lane_block * pc_lane_block;
}

typedef const int16_t *_Nonnull pc_lane_row;

typedef struct pc_lane_loops {
  /* Makes lanes of `pixels` pixels of `components` samples. */
  void (*widen)(const uint8_t *row, size_t pixels, size_t components, int16_t *lanes);
  /* Adds `count` samples to the sums of their columns. */
  void (*add)(uint16_t *columns, const uint8_t *row, size_t count);
  /* Adds up `count` rows of `room` lanes, each times its weight, and cuts the sums to what samples can be. */
  void (*down)(const pc_lane_row *_Nonnull rows, const int16_t *weights, size_t count, size_t room, int16_t *sums);
  /* Makes the `pixels` pixels of one output row, of `components` samples. */
  void (*across)(const int16_t *lanes, const pc_axis *axis, size_t pixels, size_t components, uint8_t *row);
} pc_lane_loops;

/* For any processor. */
extern const pc_lane_loops pc_lane_loops_plain;
#if defined(__x86_64__)
/* For those that have AVX2. */
extern const pc_lane_loops pc_lane_loops_avx2;
#endif

/* The fastest loops that this processor can run. */
const pc_lane_loops *pc_lane_loops_best(void);

#pragma clang assume_nonnull end
#endif
