/* Reads one JPEG from a stream: header, metadata blocks, rows at a scale, and a verdict. */
#ifndef PC_JPEG_READER_H
#define PC_JPEG_READER_H

#include "pc_common.h"
#include "pc_source.h"

#pragma clang assume_nonnull begin

typedef struct pc_jpeg_reader pc_jpeg_reader;

/* Makes a reader of `source`, which must outlive it; NULL without memory. Call the functions below in their order.
   Once one has failed, all that follow return the same status and touch nothing. */
pc_jpeg_reader *_Nullable pc_jpeg_reader_create(pc_source_state *source, pc_limits limits);
void pc_jpeg_reader_destroy(pc_jpeg_reader *reader);

/* Reads up to the first scan and refuses what the limits forbid. */
PCStatus pc_jpeg_reader_read_header(pc_jpeg_reader *reader, pc_picture_header *header);

/* Gets ready for rows at the smallest of 1/8, 2/8, 4/8 and 8/8 whose long side is at least `minimum_long_side`
   (0: full scale). */
PCStatus pc_jpeg_reader_begin(pc_jpeg_reader *reader, uint32_t minimum_long_side, pc_row_format *format);

/* Whether a stand-in can be read before the rows, and none of its data was lost: the picture as the first scan of a
   progressive file shows it. Reads that scan. To be left out by who wants none. */
bool pc_jpeg_reader_begin_stand_in(pc_jpeg_reader *reader);

/* Reads up to `max_rows` rows of the stand-in, which has the size of the picture's rows; 0 when it is over. */
size_t pc_jpeg_reader_read_stand_in(pc_jpeg_reader *reader, uint8_t *rows, size_t max_rows);

/* Reads up to `max_rows` rows; `count` is 0 when the picture is over, or it failed before a row came. */
PCStatus pc_jpeg_reader_read_rows(pc_jpeg_reader *reader, uint8_t *rows, size_t max_rows, size_t *count);

/* Reads what is left of the picture and of the stream, and tells the verdict. */
pc_ending pc_jpeg_reader_finish(pc_jpeg_reader *reader);

/* The words for the status of the last failure, or for the damage that finish told of. */
const pc_fault *pc_jpeg_reader_fault(const pc_jpeg_reader *reader);

/* PC_NOTE bits so far. */
uint32_t pc_jpeg_reader_notes(const pc_jpeg_reader *reader);

/* The first Exif block seen so far, without its six bytes of signature. */
const uint8_t *_Nullable pc_jpeg_reader_exif(const pc_jpeg_reader *reader, size_t *count);

/* The size of the ICC profile joined from its segments; 0 when there is none or its segments do not fit together. */
size_t pc_jpeg_reader_profile_size(const pc_jpeg_reader *reader);
/* Copies the profile; `buffer` has room for pc_jpeg_reader_profile_size bytes. */
void pc_jpeg_reader_copy_profile(const pc_jpeg_reader *reader, uint8_t *buffer);

#pragma clang assume_nonnull end
#endif
