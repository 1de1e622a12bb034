/* The PNG reference: libpng as it comes, every warning kept. */
#include <setjmp.h>
#include <stdio.h>
#include <stdlib.h>

#include <png.h>

#include "reference.h"

typedef struct reading {
  png_structp png;
  png_infop info;
  verdict verdict;
  FILE *file;
  png_bytep row;
} reading;

static void on_warning(png_structp png, png_const_charp words) {
  reading *self = png_get_error_ptr(png);
  verdict_add(&self->verdict, words);
}

static void on_error(png_structp png, png_const_charp words) {
  on_warning(png, words);
  png_longjmp(png, 1);
}

/* pngtopnm's order: header, rows, end. The rows of an interlaced picture are kept, as it needs all passes. */
static int read_picture(reading *self) {
  if (setjmp(png_jmpbuf(self->png)) != 0) return 1;
  png_init_io(self->png, self->file);
  png_read_info(self->png, self->info);
  int passes = png_set_interlace_handling(self->png);
  png_read_update_info(self->png, self->info);
  png_uint_32 height = png_get_image_height(self->png, self->info);
  size_t size = png_get_rowbytes(self->png, self->info);
  size_t kept = passes > 1 ? height : 1;
  self->row = calloc(kept, size);
  if (self->row == NULL) png_error(self->png, "no memory");
  for (int pass = 0; pass < passes; pass++) {
    for (png_uint_32 row = 0; row < height; row++) {
      png_read_row(self->png, self->row + (passes > 1 ? row * size : 0), NULL);
    }
  }
  png_read_end(self->png, self->info);
  return 0;
}

void judge_png(const char *path) {
  reading *self = calloc(1, sizeof *self);
  if (self == NULL) exit(3);
  verdict_begin(&self->verdict);
  int has_failed = 1;
  self->file = fopen(path, "rb");
  self->png = png_create_read_struct(PNG_LIBPNG_VER_STRING, self, on_error, on_warning);
  if (self->png != NULL) self->info = png_create_info_struct(self->png);
  if (self->file != NULL && self->info != NULL) {
    has_failed = read_picture(self);
  } else {
    verdict_add(&self->verdict, "cannot be opened");
  }
  if (self->png != NULL) png_destroy_read_struct(&self->png, &self->info, NULL);
  if (self->file != NULL) fclose(self->file);
  verdict_print(&self->verdict, has_failed);
  free(self->row);
  free(self);
}
