/* Writes a baseline JPEG into memory. Everything that libjpeg can jump out of happens in write_picture(). */
#include "pc_jpeg_writer.h"

#include <setjmp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <jpeglib.h>
#include <jerror.h>

#pragma clang assume_nonnull begin

/* All state of one write, on the heap: a jump leaves changed locals undefined, but not these. */
typedef struct writer {
  struct jpeg_compress_struct jpeg;
  struct jpeg_error_mgr errors;
  struct jpeg_destination_mgr destination;
  jmp_buf jump;
  uint8_t *_Nullable buffer;
  size_t capacity;
  size_t count;
  PCWriterStatus status;
} writer;

static void give_up(j_common_ptr common) {
  writer *self = common->client_data;
  if (self->status == PCWriterStatusDone) {
    self->status = common->err->msg_code == JERR_OUT_OF_MEMORY ? PCWriterStatusNoMemory : PCWriterStatusFailed;
  }
  longjmp(self->jump, 1);
}

static void say_nothing(j_common_ptr common) {
  (void)common;
}

static void take_message(j_common_ptr common, int level) {
  (void)common;
  (void)level;
}

static void begin_output(j_compress_ptr jpeg) {
  writer *self = jpeg->client_data;
  self->destination.next_output_byte = self->buffer;
  self->destination.free_in_buffer = self->capacity;
}

/* The buffer is full: double it. libjpeg means the whole buffer, whatever free_in_buffer says. */
static boolean grow_output(j_compress_ptr jpeg) {
  writer *self = jpeg->client_data;
  size_t larger = 0;
  uint8_t *buffer = NULL;
  if (!__builtin_mul_overflow(self->capacity, (size_t)2, &larger)) buffer = realloc(self->buffer, larger);
  if (buffer == NULL) {
    self->status = PCWriterStatusNoMemory;
    give_up((j_common_ptr)jpeg);
    return FALSE;
  }
  self->destination.next_output_byte = buffer + self->capacity;
  self->destination.free_in_buffer = larger - self->capacity;
  self->buffer = buffer;
  self->capacity = larger;
  return TRUE;
}

static void end_output(j_compress_ptr jpeg) {
  writer *self = jpeg->client_data;
  self->count = self->capacity - self->destination.free_in_buffer;
}

static void write_picture(
    writer *self, const uint8_t *pixels, size_t width, size_t height, int components, int quality) {
  self->jpeg.err = jpeg_std_error(&self->errors);
  self->errors.error_exit = give_up;
  self->errors.output_message = say_nothing;
  self->errors.emit_message = take_message;
  self->jpeg.client_data = self;
  if (setjmp(self->jump) != 0) return;

  jpeg_create_compress(&self->jpeg);
  self->destination.init_destination = begin_output;
  self->destination.empty_output_buffer = grow_output;
  self->destination.term_destination = end_output;
  self->jpeg.dest = &self->destination;

  self->jpeg.image_width = (JDIMENSION)width;
  self->jpeg.image_height = (JDIMENSION)height;
  self->jpeg.input_components = components;
  self->jpeg.in_color_space = components == 1 ? JCS_GRAYSCALE : JCS_RGB;
  jpeg_set_defaults(&self->jpeg); /* YCbCr in 4:2:0, a JFIF header */
  jpeg_set_quality(&self->jpeg, quality, TRUE);
  self->jpeg.dct_method = JDCT_ISLOW;
  self->jpeg.optimize_coding = TRUE;

  jpeg_start_compress(&self->jpeg, TRUE);
  const size_t row_bytes = width * (size_t)components;
  while (self->jpeg.next_scanline < self->jpeg.image_height) {
    /* libjpeg's row type is not const, though it only reads. */
    JSAMPROW row = (JSAMPROW)(uintptr_t)(pixels + (size_t)self->jpeg.next_scanline * row_bytes);
    jpeg_write_scanlines(&self->jpeg, &row, 1);
  }
  jpeg_finish_compress(&self->jpeg);
}

PCWriterStatus pc_jpeg_writer_encode(
    const uint8_t *pixels, size_t width, size_t height, int components, int quality, pc_jpeg_file *file) {
  file->bytes = NULL;
  file->count = 0;
  if (width == 0 || height == 0 || width > PC_JPEG_WRITER_LONGEST_SIDE || height > PC_JPEG_WRITER_LONGEST_SIDE ||
      (components != 1 && components != 3)) {
    return PCWriterStatusBadSize;
  }
  writer *self = calloc(1, sizeof *self);
  if (self == NULL) return PCWriterStatusNoMemory;
  self->capacity = 32768;
  self->buffer = malloc(self->capacity);
  if (self->buffer == NULL) {
    free(self);
    return PCWriterStatusNoMemory;
  }
  write_picture(self, pixels, width, height, components, quality);
  jpeg_destroy_compress(&self->jpeg);

  const PCWriterStatus status = self->status;
  if (status == PCWriterStatusDone) {
    file->bytes = self->buffer;
    file->count = self->count;
  } else {
    free(self->buffer);
  }
  free(self);
  return status;
}

void pc_jpeg_file_free(pc_jpeg_file *file) {
  free(file->bytes);
  file->bytes = NULL;
  file->count = 0;
}

#pragma clang assume_nonnull end
