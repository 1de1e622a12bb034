/* Shrinks a picture to one size while its rows stream by: separable Lanczos-3 in whole numbers, bounded memory. */
#ifndef PC_RESIZER_H
#define PC_RESIZER_H

#include "pc_common.h"

#pragma clang assume_nonnull begin

/* What goes in and what comes out. Samples have 8 bits and are interleaved. */
typedef struct pc_resizer_plan {
  size_t in_width;
  size_t in_height;
  /* Never more than the input's. */
  size_t out_width;
  size_t out_height;
  /* 1, 3 or 4. */
  size_t components;
  /* How much of the input the picture really covers, in input pixels; a scaled JPEG ends inside its last pixel. */
  double span_x;
  double span_y;
} pc_resizer_plan;

typedef struct pc_resizer pc_resizer;

/* Makes a resizer, or NULL when the plan makes no sense or there is no memory. All memory is taken here. */
pc_resizer *_Nullable pc_resizer_create(const pc_resizer_plan *plan);

/* The same without the instructions that not every processor has; it makes the same bytes. */
pc_resizer *_Nullable pc_resizer_create_plain(const pc_resizer_plan *plan);

/* Takes `count` whole rows, one after the other; rows beyond the input's height are ignored. How the rows are
   grouped into calls makes no difference to the result. */
void pc_resizer_push(pc_resizer *resizer, const uint8_t *rows, size_t count);

/* The finished picture, out_width x out_height x components, owned by the resizer. Rows that never came count as
   rows of `fill` (one sample a component). No push may follow. */
const uint8_t *pc_resizer_finish(pc_resizer *resizer, const uint8_t *fill);

void pc_resizer_destroy(pc_resizer *_Nullable resizer);

#pragma clang assume_nonnull end
#endif
