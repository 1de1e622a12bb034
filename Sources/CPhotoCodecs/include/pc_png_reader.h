/* Reads one PNG from a stream: header, metadata blocks, rows laid over white, and a verdict. */
#ifndef PC_PNG_READER_H
#define PC_PNG_READER_H

#include "pc_common.h"
#include "pc_source.h"

#pragma clang assume_nonnull begin

typedef struct pc_png_reader pc_png_reader;

/* What the file says of its colours, as stored; which of them counts is decided elsewhere. */
typedef struct pc_png_color {
  bool has_gamma;
  bool has_chromaticities;
  bool has_srgb;
  double gamma;
  /* White x and y, then red, green and blue. */
  double chromaticities[8];
} pc_png_color;

/* Makes a reader of `source`, which must outlive it; NULL without memory. Call the functions below in their order.
   Once one has failed, all that follow return the same status and touch nothing. */
pc_png_reader *_Nullable pc_png_reader_create(pc_source_state *source, pc_limits limits);
void pc_png_reader_destroy(pc_png_reader *reader);

/* Reads up to the picture's data and refuses what the limits forbid. */
PCStatus pc_png_reader_read_header(pc_png_reader *reader, pc_picture_header *header);

/* Gets ready for rows, always at full scale. */
PCStatus pc_png_reader_begin(pc_png_reader *reader, pc_row_format *format);

/* Reads up to `max_rows` rows; `count` is 0 when the picture is over, or it failed before a row came. */
PCStatus pc_png_reader_read_rows(pc_png_reader *reader, uint8_t *rows, size_t max_rows, size_t *count);

/* Reads what is left of the picture and of the stream, and tells the verdict. */
pc_ending pc_png_reader_finish(pc_png_reader *reader);

/* The words for the status of the last failure, or for the damage that finish told of. */
const pc_fault *pc_png_reader_fault(const pc_png_reader *reader);

/* PC_NOTE bits so far. */
uint32_t pc_png_reader_notes(const pc_png_reader *reader);

/* The eXIf block seen so far. */
const uint8_t *_Nullable pc_png_reader_exif(const pc_png_reader *reader, size_t *count);

/* The text of the first `Raw profile type exif` seen so far, else `Raw profile type APP1`, still in hexadecimal. */
const uint8_t *_Nullable pc_png_reader_raw_exif(const pc_png_reader *reader, size_t *count, bool *is_app1);

/* The ICC profile of the iCCP chunk. */
const uint8_t *_Nullable pc_png_reader_profile(const pc_png_reader *reader, size_t *count);

pc_png_color pc_png_reader_color(const pc_png_reader *reader);

#pragma clang assume_nonnull end
#endif
