/* Means over boxes of whole pixels: the first step of a strong shrinking, after which the kernel has far less to do. */
#ifndef PC_BOX_H
#define PC_BOX_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "pc_lanes.h"

#pragma clang assume_nonnull begin

/* Boxes have at most so many pixels a side: their sums fit into 32 bits. */
enum { pc_box_longest_side = 4096 };

typedef struct pc_box {
  const pc_lane_loops *_Nullable loops;
  size_t in_width;
  size_t components;
  /* Pixels of a whole box; those at the right and the lower edge may have fewer. */
  size_t across;
  size_t down;
  /* Boxes in a row. */
  size_t out_width;
  /* The sums of each sample's column over the rows that came since the last fold, and of each box before that. */
  uint16_t *_Nullable columns;
  uint32_t *_Nullable sums;
  size_t rows_in_columns;
  size_t rows_in_box;
} pc_box;

/* How many pixels one side of a box has in a picture of `in` pixels when the kernel shall still shrink by `left` or more; 1 is
   no box. Of sides up to a third shorter it is the one whose last box lacks the least: that box counts as a whole one. */
size_t pc_box_side(size_t in, double shrinking, double left);

/* False without memory; to be freed either way. */
bool pc_box_make(
    pc_box *self, const pc_lane_loops *loops, size_t in_width, size_t components, size_t across, size_t down);

/* Takes one row. */
void pc_box_push(pc_box *self, const uint8_t *row);

/* Whether the boxes have as many rows as they should. */
bool pc_box_is_full(const pc_box *self);

/* Makes the lanes (pc_lanes.h) of the boxes' means and begins the next boxes. At least one row has come. */
void pc_box_pop(pc_box *self, int16_t *lanes);

void pc_box_free(pc_box *self);

#pragma clang assume_nonnull end
#endif
