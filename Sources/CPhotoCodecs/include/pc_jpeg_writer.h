/* Writes a baseline JPEG into memory. */
#ifndef PC_JPEG_WRITER_H
#define PC_JPEG_WRITER_H

#include "pc_common.h"

#pragma clang assume_nonnull begin

/* How a write ended. */
typedef enum __attribute__((enum_extensibility(closed))) PCWriterStatus {
  PCWriterStatusDone = 0,
  /* A side is zero or more than JPEG can hold, or the components are neither 1 nor 3. */
  PCWriterStatusBadSize,
  PCWriterStatusNoMemory,
  /* libjpeg gave up. */
  PCWriterStatusFailed,
} PCWriterStatus;

/* A finished file. */
typedef struct pc_jpeg_file {
  uint8_t *_Nullable bytes;
  size_t count;
} pc_jpeg_file;

/* The longest side that libjpeg writes. */
#define PC_JPEG_WRITER_LONGEST_SIDE 65500

/* Encodes gray (1) or RGB (3) pixels: baseline, 4:2:0, Huffman tables of its own, a JFIF header and no other metadata.
   `file` is owned by the caller, who gives it to pc_jpeg_file_free; it is empty unless the status is Done. */
PCWriterStatus pc_jpeg_writer_encode(
    const uint8_t *pixels, size_t width, size_t height, int components, int quality, pc_jpeg_file *file);

void pc_jpeg_file_free(pc_jpeg_file *file);

#pragma clang assume_nonnull end
#endif
