/* Turns pixels upright. */
#ifndef PC_ORIENT_H
#define PC_ORIENT_H

#include "pc_common.h"

#pragma clang assume_nonnull begin

/* Copies `pixels` (width x height x components as stored) into `upright`, turned by the EXIF orientation 1 through 8;
   5 through 8 swap the sides. Any other orientation means 1. The two must not overlap. */
void pc_orient(
    const uint8_t *pixels, size_t width, size_t height, size_t components, int orientation, uint8_t *upright);

#pragma clang assume_nonnull end
#endif
