/* Adds up columns first, eight or sixteen at a time, and folds them into boxes as rarely as 16 bits allow. */
#include "pc_box.h"

#include <stdlib.h>
#include <string.h>

#pragma STDC FP_CONTRACT OFF
#pragma clang assume_nonnull begin

/* Rows whose samples fit into a 16-bit sum. */
enum { most_rows_in_columns = UINT16_MAX / UINT8_MAX };

size_t pc_box_side(size_t in, double shrinking, double left) {
  if (!(shrinking >= 2 * left)) return 1;
  const double wanted = shrinking / left;
  const size_t longest = wanted >= pc_box_longest_side ? pc_box_longest_side : (size_t)wanted;
  size_t best = longest;
  for (size_t side = longest; side > longest * 2 / 3 && side > 1; side--) {
    /* What the last box lacks, as a part of it: a/b < c/d as ad < cb. */
    if ((side - in % side) % side * best < (best - in % best) % best * side) best = side;
  }
  return best;
}

bool pc_box_make(
    pc_box *self, const pc_lane_loops *loops, size_t in_width, size_t components, size_t across, size_t down) {
  self->loops = loops;
  self->in_width = in_width;
  self->components = components;
  self->across = across;
  self->down = down;
  self->out_width = (in_width + across - 1) / across;
  self->rows_in_columns = self->rows_in_box = 0;
  /* Three samples are read as four. */
  self->columns = calloc(in_width * components + 1, sizeof *self->columns);
  self->sums = calloc(self->out_width * 4, sizeof *self->sums);
  return self->columns != NULL && self->sums != NULL;
}

typedef uint16_t u4 __attribute__((vector_size(8)));
typedef int16_t s4 __attribute__((vector_size(8)));
typedef uint32_t w4 __attribute__((vector_size(16)));
typedef float f4 __attribute__((vector_size(16)));

static void fold_gray(const pc_box *self) {
  for (size_t x = 0; x < self->out_width; x++) {
    const size_t first = x * self->across;
    const size_t end = self->in_width - first < self->across ? self->in_width : first + self->across;
    for (size_t i = first; i < end; i++) self->sums[x * 4] += self->columns[i];
  }
}

static void fold_colour(const pc_box *self, size_t components) {
  const uint16_t *from = self->columns;
  for (size_t x = 0; x < self->out_width; x++) {
    const size_t left = self->in_width - x * self->across;
    const size_t count = left < self->across ? left : self->across;
    w4 sum;
    memcpy(&sum, self->sums + x * 4, sizeof sum);
    for (size_t i = 0; i < count; i++, from += components) {
      u4 pixel;
      memcpy(&pixel, from, sizeof pixel);
      sum += __builtin_convertvector(pixel, w4);
    }
    memcpy(self->sums + x * 4, &sum, sizeof sum);
  }
}

static void fold(pc_box *self) {
  switch (self->components) {
    case 1: fold_gray(self); break;
    case 3: fold_colour(self, 3); break;
    default: fold_colour(self, 4); break;
  }
  memset(self->columns, 0, self->in_width * self->components * sizeof *self->columns);
  self->rows_in_columns = 0;
}

void pc_box_push(pc_box *self, const uint8_t *row) {
  if (self->rows_in_columns == most_rows_in_columns) fold(self);
  self->loops->add(self->columns, row, self->in_width * self->components);
  self->rows_in_columns++;
  self->rows_in_box++;
}

bool pc_box_is_full(const pc_box *self) { return self->rows_in_box == self->down; }

void pc_box_pop(pc_box *self, int16_t *lanes) {
  fold(self);
  const size_t step = self->components == 1 ? 1 : 4;
  for (size_t x = 0; x < self->out_width; x++) {
    const size_t left = self->in_width - x * self->across;
    const size_t pixels = (left < self->across ? left : self->across) * self->rows_in_box;
    w4 sum;
    memcpy(&sum, self->sums + x * 4, sizeof sum);
    const f4 means = __builtin_convertvector(sum, f4) * ((float)pc_sample_one / (float)pixels) + 0.5f;
    const s4 rounded = __builtin_convertvector(means, s4);
    memcpy(lanes + x * step, &rounded, step * sizeof *lanes);
  }
  memset(self->sums, 0, self->out_width * 4 * sizeof *self->sums);
  self->rows_in_box = 0;
}

void pc_box_free(pc_box *self) {
  free(self->columns);
  free(self->sums);
}

#pragma clang assume_nonnull end
