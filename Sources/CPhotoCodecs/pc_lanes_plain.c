/* The resizer's loops in plain C: what they mean, for processors without loops of their own. */
#include "pc_lanes.h"

#pragma clang assume_nonnull begin

/* A lane times a weight, rounded (what pmulhrsw does). */
static inline int weighed(int16_t lane, int16_t weight) { return (lane * weight + (1 << 14)) >> 15; }

static inline int cut(int value, int most) { return value < 0 ? 0 : value > most ? most : value; }

static void widen(const uint8_t *row, size_t pixels, size_t components, int16_t *lanes) {
  const size_t step = components == 1 ? 1 : 4;
  for (size_t x = 0; x < pixels; x++) {
    for (size_t c = 0; c < components; c++) lanes[x * step + c] = (int16_t)(row[x * components + c] * pc_sample_one);
  }
}

static void add(uint16_t *columns, const uint8_t *row, size_t count) {
  for (size_t i = 0; i < count; i++) columns[i] = (uint16_t)(columns[i] + row[i]);
}

static void down(const pc_lane_row *_Nonnull rows, const int16_t *weights, size_t count, size_t room, int16_t *sums) {
  for (size_t at = 0; at < room; at++) {
    int sum = 0;
    for (size_t k = 0; k < count; k++) sum += weighed(rows[k][at], weights[k]);
    sums[at] = (int16_t)(cut(sum, 255 * pc_weighed_one) * (pc_sample_one / pc_weighed_one));
  }
}

static void across(const int16_t *lanes, const pc_axis *axis, size_t pixels, size_t components, uint8_t *row) {
  const size_t step = components == 1 ? 1 : 4;
  for (size_t x = 0; x < pixels; x++) {
    const pc_window here = axis->windows[x];
    const int16_t *const weights = axis->weights + x * axis->stride;
    for (size_t c = 0; c < components; c++) {
      int sum = pc_weighed_one / 2;
      for (size_t k = 0; k < here.count; k++) sum += weighed(lanes[(here.first + k) * step + c], weights[k]);
      row[x * components + c] = (uint8_t)cut(sum >> pc_weighed_bits, 255);
    }
  }
}

const pc_lane_loops pc_lane_loops_plain = {widen, add, down, across};

const pc_lane_loops *pc_lane_loops_best(void) {
#if defined(__x86_64__)
  if (__builtin_cpu_supports("avx2")) return &pc_lane_loops_avx2;
#endif
  return &pc_lane_loops_plain;
}

#pragma clang assume_nonnull end
