/* Lanczos-3 windows in whole numbers: every weight is rounded to 1/16384, and what the rounding leaves goes to the largest.
   That also takes away the last bit of a sine, in which libraries differ. */
#include "pc_axis.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#pragma STDC FP_CONTRACT OFF
#pragma clang assume_nonnull begin

enum { lobes = 3 };

/* Weights of one axis, at most. */
static const size_t most_weights = (size_t)32 << 20;

/* With more than this the sums of a row could leave 16 bits. No window of a whole picture comes near. */
static const double most_absolute = 1.9;

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
static pc_window window_at(size_t position, size_t in, double scale, double reach) {
  const double centre = ((double)position + 0.5) * scale;
  const double low = floor(centre - reach);
  const double high = ceil(centre + reach);
  pc_window result;
  result.first = low <= 0 ? 0 : (size_t)low;
  if (result.first > in - 1) result.first = in - 1;
  size_t end = high >= (double)in ? in : (size_t)high;
  if (end <= result.first) end = result.first + 1;
  result.count = end - result.first;
  return result;
}

/* Rounds the weights of one window so that they keep their sum. */
static void round_weights(const double *exact, double sum, size_t count, int16_t *weights) {
  int left = pc_weight_one;
  size_t largest = 0;
  for (size_t k = 0; k < count; k++) {
    const int weight = (int)lrint(exact[k] / sum * pc_weight_one);
    weights[k] = (int16_t)weight;
    left -= weight;
    if (exact[k] > exact[largest]) largest = k;
  }
  weights[largest] = (int16_t)(weights[largest] + left);
}

static void fill_window(pc_window here, double centre, double stretch, double *exact, int16_t *weights) {
  double sum = 0, absolute = 0;
  for (size_t k = 0; k < here.count; k++) {
    exact[k] = lanczos(((double)(here.first + k) + 0.5 - centre) / stretch);
    sum += exact[k];
    absolute += fabs(exact[k]);
  }
  if (!(sum > 1e-6 && absolute <= sum * most_absolute)) {
    /* An edge cut away all but the rim: the nearest pixel stands for it. */
    memset(exact, 0, here.count * sizeof *exact);
    exact[here.count - 1] = sum = 1;
  }
  round_weights(exact, sum, here.count, weights);
}

bool pc_axis_make(pc_axis *self, size_t in, size_t out, double span) {
  const double scale = span / (double)out;
  const double stretch = scale > 1.0 ? scale : 1.0;
  const double reach = lobes * stretch;
  self->windows = calloc(out, sizeof *self->windows);
  if (self->windows == NULL) return false;
  self->widest = 0;
  for (size_t i = 0; i < out; i++) {
    self->windows[i] = window_at(i, in, scale, reach);
    if (self->windows[i].count > self->widest) self->widest = self->windows[i].count;
  }
  self->stride = (self->widest + pc_tap_group - 1) / pc_tap_group * pc_tap_group;
  size_t total = 0;
  if (__builtin_mul_overflow(out, self->stride, &total) || total > most_weights) return false;
  self->weights = calloc(total, sizeof *self->weights);
  double *const exact = calloc(self->stride, sizeof *exact);
  if (self->weights != NULL && exact != NULL) {
    for (size_t i = 0; i < out; i++) {
      const double centre = ((double)i + 0.5) * scale;
      fill_window(self->windows[i], centre, stretch, exact, self->weights + i * self->stride);
    }
  }
  free(exact);
  return self->weights != NULL && exact != NULL;
}

void pc_axis_free(pc_axis *self) {
  free(self->windows);
  free(self->weights);
}

#pragma clang assume_nonnull end
