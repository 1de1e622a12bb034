/* Turns pixels upright: walks the target row by row, and the source by two strides. */
#include "pc_orient.h"

void pc_orient(
    const uint8_t *pixels, size_t width, size_t height, size_t components, int orientation, uint8_t *upright) {
  if (width == 0 || height == 0) return;
  const ptrdiff_t pixel = (ptrdiff_t)components;
  const ptrdiff_t row = (ptrdiff_t)(width * components);
  const ptrdiff_t last_column = (ptrdiff_t)(width - 1) * pixel;
  const ptrdiff_t last_row = (ptrdiff_t)(height - 1) * row;

  /* Where the upright picture's first pixel is stored, and the way to its right and lower neighbours. */
  ptrdiff_t start = 0, right = pixel, down = row;
  switch (orientation) {
    case 2: start = last_column; right = -pixel; down = row; break;
    case 3: start = last_row + last_column; right = -pixel; down = -row; break;
    case 4: start = last_row; right = pixel; down = -row; break;
    case 5: start = 0; right = row; down = pixel; break;
    case 6: start = last_row; right = -row; down = pixel; break;
    case 7: start = last_row + last_column; right = -row; down = -pixel; break;
    case 8: start = last_column; right = row; down = -pixel; break;
    default: break;
  }
  const bool swaps = orientation >= 5 && orientation <= 8;
  const size_t out_width = swaps ? height : width;
  const size_t out_height = swaps ? width : height;
  for (size_t y = 0; y < out_height; y++) {
    ptrdiff_t at = start + (ptrdiff_t)y * down;
    for (size_t x = 0; x < out_width; x++, at += right) {
      for (size_t c = 0; c < components; c++) *upright++ = pixels[at + (ptrdiff_t)c];
    }
  }
}
