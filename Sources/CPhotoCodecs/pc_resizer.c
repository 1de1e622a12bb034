/* Shrinks a picture to one size while its rows stream by.
 *
 * A strong shrinking begins with means over boxes of whole pixels (pc_box), which leave a factor of three or more to the
 * kernel (pc_axis). Rows are kept as lanes (pc_lanes) in a ring as long as the kernel is high; when the last row of an
 * output row's window has come, the window is summed up downwards and then across. */
#include "pc_resizer.h"

#include <stdlib.h>
#include <string.h>

#include "pc_box.h"
#include "pc_lanes.h"

#pragma clang assume_nonnull begin

/* By how much the kernel shrinks at least when boxes went before it. */
static const double left_to_kernel = 3;

struct pc_resizer {
  pc_resizer_plan plan;
  /* Nothing to shrink: bytes pass unchanged. */
  bool is_copy;
  bool has_boxes;
  const pc_lane_loops *_Nullable loops;
  pc_box box;
  /* What the kernel sees: the picture, or its boxes. */
  size_t width;
  size_t height;
  pc_axis across;
  pc_axis down;
  /* Lanes of a kept row. */
  size_t room;
  /* Row y of the kernel's picture lies in slot y % down.widest. */
  int16_t *_Nullable ring;
  const int16_t *_Nonnull *_Nullable in_window;
  int16_t *_Nullable summed;
  /* Stands for the rows that never come. */
  uint8_t *_Nullable filler;
  size_t rows_pushed;
  size_t rows_kept;
  size_t rows_made;
  uint8_t *_Nullable pixels;
};

/* ---- rows ---- */

static int16_t *slot(const pc_resizer *self, size_t y) { return self->ring + y % self->down.widest * self->room; }

static void make_row(pc_resizer *self, size_t y) {
  const pc_window here = self->down.windows[y];
  for (size_t k = 0; k < here.count; k++) self->in_window[k] = slot(self, here.first + k);
  self->loops->down(self->in_window, self->down.weights + y * self->down.stride, here.count, self->room, self->summed);
  self->loops->across(
      self->summed, &self->across, self->plan.out_width, self->plan.components,
      self->pixels + y * self->plan.out_width * self->plan.components);
}

/* Makes the output rows whose windows end with the row that has just been kept. */
static void keep_row(pc_resizer *self) {
  self->rows_kept++;
  while (self->rows_made < self->plan.out_height) {
    const pc_window next = self->down.windows[self->rows_made];
    if (next.first + next.count > self->rows_kept) return;
    make_row(self, self->rows_made++);
  }
}

static void push_row(pc_resizer *self, const uint8_t *row) {
  const size_t y = self->rows_pushed++;
  if (self->is_copy) {
    const size_t bytes = self->plan.in_width * self->plan.components;
    memcpy(self->pixels + y * bytes, row, bytes);
  } else if (!self->has_boxes) {
    self->loops->widen(row, self->width, self->plan.components, slot(self, y));
    keep_row(self);
  } else {
    pc_box_push(&self->box, row);
    if (!pc_box_is_full(&self->box) && self->rows_pushed < self->plan.in_height) return;
    pc_box_pop(&self->box, slot(self, self->rows_kept));
    keep_row(self);
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
  /* 64: the room that the widest pixel (four lanes) and the row's rim need; no later product can then overflow. */
  if (__builtin_mul_overflow(plan->in_width, (size_t)64, &in_bytes)) return false;
  if (__builtin_mul_overflow(plan->out_width, plan->out_height, &out_bytes)) return false;
  return !__builtin_mul_overflow(out_bytes, (size_t)4, &out_bytes);
}

/* Puts boxes before the kernel where the shrinking is strong. */
static bool prepare_boxes(pc_resizer *self) {
  const pc_resizer_plan *const plan = &self->plan;
  const size_t across = pc_box_side(plan->in_width, plan->span_x / (double)plan->out_width, left_to_kernel);
  const size_t down = pc_box_side(plan->in_height, plan->span_y / (double)plan->out_height, left_to_kernel);
  self->has_boxes = across > 1 || down > 1;
  self->width = (plan->in_width + across - 1) / across;
  self->height = (plan->in_height + down - 1) / down;
  return pc_axis_make(&self->across, self->width, plan->out_width, plan->span_x / (double)across) &&
         pc_axis_make(&self->down, self->height, plan->out_height, plan->span_y / (double)down) &&
         (!self->has_boxes || pc_box_make(&self->box, self->loops, plan->in_width, plan->components, across, down));
}

static bool prepare(pc_resizer *self) {
  const pc_resizer_plan *const plan = &self->plan;
  self->pixels = calloc(plan->out_width * plan->out_height, plan->components);
  self->filler = malloc(plan->in_width * plan->components);
  if (self->pixels == NULL || self->filler == NULL) return false;
  self->is_copy = plan->in_width == plan->out_width && plan->in_height == plan->out_height;
  if (self->is_copy) return true;

  if (!prepare_boxes(self)) return false;
  self->room = pc_lane_room(self->width, plan->components == 1 ? 1 : 4);
  size_t lanes = 0;
  if (__builtin_mul_overflow(self->room, self->down.widest, &lanes)) return false;
  self->ring = calloc(lanes, sizeof *self->ring);
  self->in_window = calloc(self->down.widest, sizeof *self->in_window);
  self->summed = calloc(self->room, sizeof *self->summed);
  return self->ring != NULL && self->in_window != NULL && self->summed != NULL;
}

static pc_resizer *_Nullable create(const pc_resizer_plan *plan, const pc_lane_loops *loops) {
  if (!makes_sense(plan)) return NULL;
  pc_resizer *self = calloc(1, sizeof *self);
  if (self == NULL) return NULL;
  self->plan = *plan;
  self->loops = loops;
  if (prepare(self)) return self;
  pc_resizer_destroy(self);
  return NULL;
}

pc_resizer *_Nullable pc_resizer_create(const pc_resizer_plan *plan) { return create(plan, pc_lane_loops_best()); }

pc_resizer *_Nullable pc_resizer_create_plain(const pc_resizer_plan *plan) {
  return create(plan, &pc_lane_loops_plain);
}

void pc_resizer_push(pc_resizer *self, const uint8_t *rows, size_t count) {
  const size_t row_bytes = self->plan.in_width * self->plan.components;
  for (size_t i = 0; i < count && self->rows_pushed < self->plan.in_height; i++) {
    push_row(self, rows + i * row_bytes);
  }
}

const uint8_t *pc_resizer_finish(pc_resizer *self, const uint8_t *fill) {
  const size_t components = self->plan.components;
  for (size_t x = 0; x < self->plan.in_width; x++) memcpy(self->filler + x * components, fill, components);
  while (self->rows_pushed < self->plan.in_height) push_row(self, self->filler);
  return self->pixels;
}

void pc_resizer_destroy(pc_resizer *_Nullable self) {
  if (self == NULL) return;
  pc_box_free(&self->box);
  pc_axis_free(&self->across);
  pc_axis_free(&self->down);
  free(self->ring);
  free(self->in_window);
  free(self->summed);
  free(self->filler);
  free(self->pixels);
  free(self);
}

#pragma clang assume_nonnull end
