/* Shrinks a picture to one size while its rows stream by.
 *
 * Each input row is widened to float, filtered across, and added with its weight to every output row that it touches:
 * about seven rows are open at a time, whatever the sizes. A pixel takes four floats (RGB has a spare lane), or one for
 * gray, so that the loops are the same vectors everywhere: lanes are added in one fixed order, no multiply-add is fused,
 * and a processor with wider registers gives the same bytes. */
#include "pc_resizer.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#pragma STDC FP_CONTRACT OFF
#pragma clang assume_nonnull begin

enum { lobes = 3, tap_group = 4 };

/* Weights of one axis, at most (64 MiB): six a pixel of the longer side, so sides of up to 2.8 million pixels. */
static const size_t most_weights = (size_t)16 << 20;

typedef float f4 __attribute__((vector_size(16)));
typedef float f8 __attribute__((vector_size(32)));
typedef uint8_t b4 __attribute__((vector_size(4)));

/* The window of one output position: `count` inputs from `first`; the weights are padded with zeros to whole groups. */
typedef struct window {
  size_t first;
  size_t count;
} window;

/* The windows of one axis, `stride` weights apart. */
typedef struct axis {
  window *_Nullable windows;
  float *_Nullable weights;
  size_t stride;
} axis;

typedef void (*row_filter)(const pc_resizer *self, const uint8_t *row);

struct pc_resizer {
  pc_resizer_plan plan;
  /* Nothing to shrink: bytes pass unchanged. */
  bool is_copy;
  axis across;
  axis down;
  /* Floats a pixel: 1 or 4. */
  size_t lanes;
  float *_Nullable widened;
  float *_Nullable filtered;
  /* The open output rows, a ring: output row y lives in slot y % open_rows. */
  float *_Nullable sums;
  size_t open_rows;
  size_t first_open;
  size_t next_open;
  size_t rows_pushed;
  uint8_t *_Nullable pixels;
  row_filter filter;
};

/* ---- weights ---- */

static double lanczos(double x) {
  const double pi = 3.14159265358979323846;
  x = fabs(x);
  if (x < 1e-8) return 1.0;
  if (x >= lobes) return 0.0;
  const double t = pi * x / lobes;
  const double s = sin(t);
  return s * (s * (3.0 - 4.0 * s * s)) / (lobes * t * t); /* sin 3t = 3 sin t - 4 sin^3 t */
}

/* The inputs that output `position` touches: its centre, and the kernel's reach on both sides, cut at the edges. */
static window window_at(size_t position, size_t in, double scale, double reach) {
  const double centre = ((double)position + 0.5) * scale;
  const double low = floor(centre - reach);
  const double high = ceil(centre + reach);
  window result;
  result.first = low <= 0 ? 0 : (size_t)low;
  if (result.first > in - 1) result.first = in - 1;
  size_t end = high >= (double)in ? in : (size_t)high;
  if (end <= result.first) end = result.first + 1;
  result.count = end - result.first;
  return result;
}

static bool make_axis(axis *self, size_t in, size_t out, double span) {
  const double scale = span / (double)out;
  const double stretch = scale > 1.0 ? scale : 1.0; /* a kernel as wide as the shrinking asks for */
  const double reach = lobes * stretch;
  size_t widest = 0;
  self->windows = calloc(out, sizeof *self->windows);
  if (self->windows == NULL) return false;
  for (size_t i = 0; i < out; i++) {
    self->windows[i] = window_at(i, in, scale, reach);
    if (self->windows[i].count > widest) widest = self->windows[i].count;
  }
  self->stride = (widest + tap_group - 1) / tap_group * tap_group;
  size_t total = 0;
  if (__builtin_mul_overflow(out, self->stride, &total) || total > most_weights) return false;
  self->weights = calloc(total, sizeof *self->weights);
  double *const exact = calloc(self->stride, sizeof *exact);
  if (self->weights == NULL || exact == NULL) {
    free(exact);
    return false;
  }
  for (size_t i = 0; i < out; i++) {
    const window here = self->windows[i];
    const double centre = ((double)i + 0.5) * scale;
    double sum = 0;
    for (size_t k = 0; k < here.count; k++) {
      exact[k] = lanczos(((double)(here.first + k) + 0.5 - centre) / stretch);
      sum += exact[k];
    }
    if (!(sum > 1e-6)) { /* an edge cut away all but the rim: the nearest pixel stands for it */
      memset(exact, 0, self->stride * sizeof *exact);
      exact[here.count - 1] = sum = 1;
    }
    float *const weights = self->weights + i * self->stride;
    for (size_t k = 0; k < here.count; k++) weights[k] = (float)(exact[k] / sum);
  }
  free(exact);
  return true;
}

/* How many output rows are open at once, at most. */
static size_t most_open(const axis *down, size_t out) {
  size_t most = 1;
  size_t next = 0;
  for (size_t y = 0; y < out; y++) {
    const size_t last = down->windows[y].first + down->windows[y].count - 1;
    while (next < out && down->windows[next].first <= last) next++;
    if (next - y > most) most = next - y;
  }
  return most;
}

/* ---- one row across ---- */

static inline __attribute__((always_inline)) f4 load4(const float *from) {
  f4 value;
  memcpy(&value, from, sizeof value);
  return value;
}

static inline __attribute__((always_inline)) void filter_gray(const pc_resizer *self, const uint8_t *row) {
  float *const widened = self->widened;
  for (size_t x = 0; x < self->plan.in_width; x++) widened[x] = row[x];
  for (size_t x = 0; x < self->plan.out_width; x++) {
    const window here = self->across.windows[x];
    const float *const pixels = widened + here.first;
    const float *const weights = self->across.weights + x * self->across.stride;
    f4 sum = {0, 0, 0, 0};
    for (size_t k = 0; k < here.count; k += tap_group) sum += load4(weights + k) * load4(pixels + k);
    self->filtered[x] = (sum[0] + sum[2]) + (sum[1] + sum[3]);
  }
}

static inline __attribute__((always_inline)) void filter_colour(const pc_resizer *self, const uint8_t *row) {
  float *const widened = self->widened;
  const size_t components = self->plan.components;
  const size_t width = self->plan.in_width;
  /* Four bytes are read for three: the spare lane takes the neighbour's first sample and is never looked at. */
  for (size_t x = 0; x + 1 < width; x++) {
    b4 bytes;
    memcpy(&bytes, row + x * components, sizeof bytes);
    const f4 pixel = __builtin_convertvector(bytes, f4);
    memcpy(widened + x * 4, &pixel, sizeof pixel);
  }
  for (size_t c = 0; c < components; c++) widened[(width - 1) * 4 + c] = row[(width - 1) * components + c];

  for (size_t x = 0; x < self->plan.out_width; x++) {
    const window here = self->across.windows[x];
    const float *const pixels = widened + here.first * 4;
    const float *const weights = self->across.weights + x * self->across.stride;
    f8 even = {0}, odd = {0};
    for (size_t k = 0; k < here.count; k += tap_group) {
      const f4 w = load4(weights + k);
      f8 first, second;
      memcpy(&first, pixels + k * 4, sizeof first);
      memcpy(&second, pixels + k * 4 + 8, sizeof second);
      even += __builtin_shufflevector(w, w, 0, 0, 0, 0, 1, 1, 1, 1) * first;
      odd += __builtin_shufflevector(w, w, 2, 2, 2, 2, 3, 3, 3, 3) * second;
    }
    even += odd;
    const f4 sum = __builtin_shufflevector(even, even, 0, 1, 2, 3) + __builtin_shufflevector(even, even, 4, 5, 6, 7);
    memcpy(self->filtered + x * 4, &sum, sizeof sum);
  }
}

/* ---- one row down ---- */

static inline __attribute__((always_inline)) void add_row(const pc_resizer *self) {
  const size_t count = self->plan.out_width * self->lanes;
  const float *const from = self->filtered;
  for (size_t y = self->first_open; y < self->next_open; y++) {
    const window here = self->down.windows[y];
    const float weight = self->down.weights[y * self->down.stride + (self->rows_pushed - here.first)];
    float *const sums = self->sums + (y % self->open_rows) * count;
    if (here.first == self->rows_pushed) {
      for (size_t i = 0; i < count; i++) sums[i] = weight * from[i];
    } else {
      for (size_t i = 0; i < count; i++) sums[i] += weight * from[i];
    }
  }
}

static void take_gray(const pc_resizer *self, const uint8_t *row) {
  filter_gray(self, row);
  add_row(self);
}

static void take_colour(const pc_resizer *self, const uint8_t *row) {
  filter_colour(self, row);
  add_row(self);
}

#if defined(__x86_64__)
/* The same loops for processors with eight lanes. AVX2 has no fused multiply-add, so the sums stay the same. */
__attribute__((target("avx2"))) static void take_gray_avx2(const pc_resizer *self, const uint8_t *row) {
  filter_gray(self, row);
  add_row(self);
}

__attribute__((target("avx2"))) static void take_colour_avx2(const pc_resizer *self, const uint8_t *row) {
  filter_colour(self, row);
  add_row(self);
}
#endif

static row_filter best_filter(size_t lanes) {
#if defined(__x86_64__)
  if (__builtin_cpu_supports("avx2")) return lanes == 1 ? take_gray_avx2 : take_colour_avx2;
#endif
  return lanes == 1 ? take_gray : take_colour;
}

static void close_row(const pc_resizer *self, size_t y) {
  const size_t width = self->plan.out_width, components = self->plan.components, lanes = self->lanes;
  const float *const sums = self->sums + (y % self->open_rows) * width * lanes;
  uint8_t *const out = self->pixels + y * width * components;
  for (size_t x = 0; x < width; x++) {
    for (size_t c = 0; c < components; c++) {
      const float value = sums[x * lanes + c] + 0.5f;
      out[x * components + c] = value <= 0 ? 0 : value >= 255 ? 255 : (uint8_t)value;
    }
  }
}

static void push_row(pc_resizer *self, const uint8_t *row) {
  if (self->is_copy) {
    const size_t bytes = self->plan.in_width * self->plan.components;
    memcpy(self->pixels + self->rows_pushed * bytes, row, bytes);
    self->rows_pushed++;
    return;
  }
  const window *const windows = self->down.windows;
  while (self->next_open < self->plan.out_height && windows[self->next_open].first <= self->rows_pushed) {
    self->next_open++;
  }
  /* Windows neither begin nor end earlier than the one above them, so those that hold this row lie together. */
  self->filter(self, row);
  self->rows_pushed++;
  while (self->first_open < self->next_open &&
         windows[self->first_open].first + windows[self->first_open].count <= self->rows_pushed) {
    close_row(self, self->first_open);
    self->first_open++;
  }
}

/* ---- the life of a resizer ---- */

static bool makes_sense(const pc_resizer_plan *plan) {
  size_t in_bytes = 0, out_bytes = 0;
  if (plan->components != 1 && plan->components != 3 && plan->components != 4) return false;
  if (plan->out_width == 0 || plan->out_width > plan->in_width) return false;
  if (plan->out_height == 0 || plan->out_height > plan->in_height) return false;
  if (!(plan->span_x > 0 && plan->span_x <= (double)plan->in_width)) return false;
  if (!(plan->span_y > 0 && plan->span_y <= (double)plan->in_height)) return false;
  /* 64: the room that the widest pixel (four floats) and the row's rim need; no later product can then overflow. */
  if (__builtin_mul_overflow(plan->in_width, (size_t)64, &in_bytes)) return false;
  if (__builtin_mul_overflow(plan->out_width, plan->out_height, &out_bytes)) return false;
  return !__builtin_mul_overflow(out_bytes, (size_t)4, &out_bytes);
}

static bool prepare(pc_resizer *self) {
  const pc_resizer_plan *const plan = &self->plan;
  self->pixels = calloc(plan->out_width * plan->out_height, plan->components);
  if (self->pixels == NULL) return false;
  self->is_copy = plan->in_width == plan->out_width && plan->in_height == plan->out_height;
  if (self->is_copy) return true;

  self->lanes = plan->components == 1 ? 1 : 4;
  self->filter = best_filter(self->lanes);
  if (!make_axis(&self->across, plan->in_width, plan->out_width, plan->span_x)) return false;
  if (!make_axis(&self->down, plan->in_height, plan->out_height, plan->span_y)) return false;
  self->open_rows = most_open(&self->down, plan->out_height);
  /* Groups of taps may reach past the row's end, onto zeros. */
  self->widened = calloc((plan->in_width + tap_group) * self->lanes, sizeof(float));
  self->filtered = calloc(plan->out_width * self->lanes, sizeof(float));
  size_t floats = 0;
  if (__builtin_mul_overflow(plan->out_width * self->lanes, self->open_rows, &floats)) return false;
  self->sums = calloc(floats, sizeof(float));
  return self->widened != NULL && self->filtered != NULL && self->sums != NULL;
}

pc_resizer *_Nullable pc_resizer_create(const pc_resizer_plan *plan) {
  if (!makes_sense(plan)) return NULL;
  pc_resizer *self = calloc(1, sizeof *self);
  if (self == NULL) return NULL;
  self->plan = *plan;
  if (prepare(self)) return self;
  pc_resizer_destroy(self);
  return NULL;
}

void pc_resizer_push(pc_resizer *self, const uint8_t *rows, size_t count) {
  const size_t row_bytes = self->plan.in_width * self->plan.components;
  for (size_t i = 0; i < count && self->rows_pushed < self->plan.in_height; i++) {
    push_row(self, rows + i * row_bytes);
  }
}

const uint8_t *pc_resizer_finish(pc_resizer *self, const uint8_t *fill) {
  if (self->rows_pushed < self->plan.in_height) {
    const size_t components = self->plan.components;
    uint8_t *const row = malloc(self->plan.in_width * components);
    for (size_t x = 0; row != NULL && x < self->plan.in_width; x++) memcpy(row + x * components, fill, components);
    while (row != NULL && self->rows_pushed < self->plan.in_height) push_row(self, row);
    free(row);
  }
  return self->pixels;
}

void pc_resizer_destroy(pc_resizer *_Nullable self) {
  if (self == NULL) return;
  free(self->across.windows);
  free(self->across.weights);
  free(self->down.windows);
  free(self->down.weights);
  free(self->widened);
  free(self->filtered);
  free(self->sums);
  free(self->pixels);
  free(self);
}

#pragma clang assume_nonnull end
