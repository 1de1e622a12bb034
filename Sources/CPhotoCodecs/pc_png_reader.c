/* Reads PNG through libpng. libpng's errors jump back to the entry point that they happened in and no further. */
#include "pc_png_reader.h"

#include <stdlib.h>
#include <string.h>

#include "pc_png_state.h"

/* ---- Life ---- */

pc_png_reader *pc_png_reader_create(pc_source_state *source, pc_limits limits) {
  pc_png_reader *reader = calloc(1, sizeof *reader);
  if (reader == NULL) return NULL;
  reader->source = source;
  reader->limits = limits;
  if (setjmp(reader->jump) != 0) {
    pc_png_reader_destroy(reader);
    return NULL;
  }
  reader->png = png_create_read_struct(PNG_LIBPNG_VER_STRING, reader, pc_png_on_error, pc_png_on_warning);
  if (reader->png != NULL) reader->info = png_create_info_struct(reader->png);
  if (reader->info == NULL) {
    pc_png_reader_destroy(reader);
    return NULL;
  }
  pc_png_install_stream(reader);
  return reader;
}

void pc_png_reader_destroy(pc_png_reader *reader) {
  if (reader->png != NULL && setjmp(reader->jump) == 0) png_destroy_read_struct(&reader->png, &reader->info, NULL);
  pc_png_blocks_free(&reader->blocks);
  free(reader->row);
  free(reader->picture);
  free(reader);
}

/* ---- Header ---- */

static PCColor stored_color(int color_type) {
  switch (color_type) {
    case PNG_COLOR_TYPE_GRAY: return PCColorGray;
    case PNG_COLOR_TYPE_PALETTE: return PCColorPalette;
    case PNG_COLOR_TYPE_GRAY_ALPHA: return PCColorGrayAlpha;
    case PNG_COLOR_TYPE_RGB_ALPHA: return PCColorRGBA;
    default: return PCColorRGB;
  }
}

/* Pixels of a side, as libpng and the programs made with it have by default: such a picture would be shown nowhere. */
#define SIDE_LIMIT 1000000

static PCStatus check_limits(pc_png_reader *reader) {
  char reason[PC_REASON_LENGTH];
  uint64_t pixels = (uint64_t)reader->width * reader->height;
  if (pixels > reader->limits.pixels) {
    snprintf(
        reason, sizeof reason, "the picture has %llu pixels, and the limit is %llu pixels", (unsigned long long)pixels,
        (unsigned long long)reader->limits.pixels);
    return pc_png_fail(reader, PCStatusTooLarge, reason, "");
  }
  /* Two rows of libpng's, four samples of two bytes a pixel at most, and one of ours; or all of ours when they come
     interlaced. Neither product can pass 64 bits: a side has 31. */
  uint64_t memory = (uint64_t)reader->width * (2 * 8 + 4) + (reader->is_interlaced ? pixels * 4 : 0);
  if (memory > reader->limits.memory) {
    snprintf(
        reason, sizeof reason, "the picture needs %llu MiB of memory, and the limit is %llu MiB",
        (unsigned long long)((memory + (1 << 20) - 1) >> 20), (unsigned long long)(reader->limits.memory >> 20));
    return pc_png_fail(reader, PCStatusTooLarge, reason, "");
  }
  uint32_t side = reader->width > reader->height ? reader->width : reader->height;
  if (side > SIDE_LIMIT) {
    snprintf(
        reason, sizeof reason, "the picture has a side of %u pixels, and the limit is %u pixels", side,
        (unsigned int)SIDE_LIMIT);
    return pc_png_fail(reader, PCStatusTooLarge, reason, "");
  }
  return PCStatusOK;
}

PCStatus pc_png_reader_read_header(pc_png_reader *reader, pc_picture_header *header) {
  if (reader->status != PCStatusOK) return reader->status;
  if (setjmp(reader->jump) != 0) return reader->status;
  pc_source_state *source = reader->source;
  if (pc_source_prefetch(source, 16) >= 16 && memcmp(source->buffer + source->position + 12, "CgBI", 4) == 0) {
    return pc_png_fail(reader, PCStatusUnsupported, "Apple CgBI PNG pictures are not decoded", "");
  }
  png_read_info(reader->png, reader->info);
  reader->width = png_get_image_width(reader->png, reader->info);
  reader->height = png_get_image_height(reader->png, reader->info);
  reader->is_interlaced = png_get_interlace_type(reader->png, reader->info) != PNG_INTERLACE_NONE;
  int color_type = png_get_color_type(reader->png, reader->info);
  bool has_transparent_color = png_get_valid(reader->png, reader->info, PNG_INFO_tRNS) != 0;
  header->width = reader->width;
  header->height = reader->height;
  header->bit_depth = png_get_bit_depth(reader->png, reader->info);
  header->components = png_get_channels(reader->png, reader->info);
  header->color = stored_color(color_type);
  header->is_progressive = reader->is_interlaced;
  header->has_transparency = (color_type & PNG_COLOR_MASK_ALPHA) != 0 || has_transparent_color;
  return check_limits(reader);
}

/* ---- Rows ---- */

PCStatus pc_png_reader_begin(pc_png_reader *reader, pc_row_format *format) {
  if (reader->status != PCStatusOK) return reader->status;
  if (setjmp(reader->jump) != 0) return reader->status;
  png_set_expand(reader->png);
  png_set_scale_16(reader->png);
  if (reader->is_interlaced) (void)png_set_interlace_handling(reader->png);
  png_read_update_info(reader->png, reader->info);
  uint32_t samples = png_get_channels(reader->png, reader->info);
  reader->has_alpha = samples == 2 || samples == 4;
  reader->channels = samples - (reader->has_alpha ? 1 : 0);
  reader->stride = png_get_rowbytes(reader->png, reader->info);
  if (samples == 0 || reader->stride != (size_t)reader->width * samples) {
    return pc_png_fail(reader, PCStatusCorrupt, "the rows have an unexpected size", "");
  }
  if (reader->is_interlaced) {
    reader->picture = calloc(reader->height, reader->stride);
  } else {
    reader->row = malloc(reader->stride);
  }
  if (reader->picture == NULL && reader->row == NULL) {
    return pc_png_fail(reader, PCStatusTooLarge, "there is no memory for the picture", "");
  }
  format->width = reader->width;
  format->height = reader->height;
  format->channels = reader->channels;
  format->is_full_scale = true;
  return PCStatusOK;
}

/* Lays one row over white and drops its alpha. */
static void flatten(const pc_png_reader *reader, const uint8_t *row, uint8_t *out) {
  if (!reader->has_alpha) {
    memcpy(out, row, reader->stride);
    return;
  }
  size_t channels = reader->channels;
  for (size_t pixel = 0; pixel < reader->width; pixel++) {
    unsigned int alpha = row[channels];
    for (size_t channel = 0; channel < channels; channel++) {
      *out++ = (uint8_t)((row[channel] * alpha + 255 * (255 - alpha) + 127) / 255);
    }
    row += channels + 1;
  }
}

static bool is_cancelled(pc_png_reader *reader) {
  if (!pc_source_is_cancelled(reader->source)) return false;
  pc_png_fail(reader, PCStatusCancelled, "the load was given up", "");
  return true;
}

/* Reads the rows of a picture that comes from top to bottom. */
static PCStatus read_rows(pc_png_reader *reader, uint8_t *rows, size_t max_rows, size_t *count) {
  const uint32_t first = reader->delivered;
  const size_t size = (size_t)reader->width * reader->channels;
  if (setjmp(reader->jump) != 0) {
    /* libpng looks behind the picture's data before it hands the last row out: that row is whole all the same. */
    if (png_get_current_row_number(reader->png) > reader->delivered) {
      flatten(reader, reader->row, rows + (reader->delivered - first) * size);
      reader->delivered++;
    }
  } else {
    while (reader->delivered - first < max_rows && reader->delivered < reader->height && !is_cancelled(reader)) {
      png_read_row(reader->png, reader->row, NULL);
      flatten(reader, reader->row, rows + (reader->delivered - first) * size);
      reader->delivered++;
    }
  }
  /* Rows that came before a failure are whole; the failure is told by the next call. */
  *count = reader->delivered - first;
  return *count > 0 ? PCStatusOK : reader->status;
}

/* Reads all passes of an interlaced picture. Each pass fills the pixels that later ones refine, so a picture that is
   cut short shows as much as there is. */
static void read_picture(pc_png_reader *reader) {
  reader->is_picture_read = true;
  if (setjmp(reader->jump) == 0) {
    for (int pass = 0; pass < PNG_INTERLACE_ADAM7_PASSES; pass++) {
      for (uint32_t row = 0; row < reader->height && !is_cancelled(reader); row++) {
        png_read_row(reader->png, NULL, reader->picture + (size_t)row * reader->stride);
        if (pass == 0) reader->decoded = row + 1;
      }
    }
  }
  /* What came is delivered before the failure is told; a load that was given up delivers nothing. */
  reader->picture_status = reader->status;
  if (reader->status != PCStatusCancelled) reader->status = PCStatusOK;
}

/* Hands out rows of an interlaced picture. Calls nothing that jumps. */
static PCStatus copy_rows(pc_png_reader *reader, uint8_t *rows, size_t max_rows, size_t *count) {
  const size_t size = (size_t)reader->width * reader->channels;
  while (*count < max_rows && reader->delivered < reader->decoded && !is_cancelled(reader)) {
    flatten(reader, reader->picture + (size_t)reader->delivered * reader->stride, rows + *count * size);
    reader->delivered++;
    *count += 1;
  }
  if (*count > 0) return PCStatusOK;
  if (reader->status == PCStatusOK) reader->status = reader->picture_status;
  return reader->status;
}

PCStatus pc_png_reader_read_rows(pc_png_reader *reader, uint8_t *rows, size_t max_rows, size_t *count) {
  *count = 0;
  if (reader->status != PCStatusOK || max_rows == 0) return reader->status;
  if (!reader->is_interlaced) return read_rows(reader, rows, max_rows, count);
  if (!reader->is_picture_read) read_picture(reader);
  return reader->status == PCStatusOK ? copy_rows(reader, rows, max_rows, count) : reader->status;
}

/* ---- Ending ---- */

/* Reads up to IEND. */
static void finish_picture(pc_png_reader *reader) {
  if (setjmp(reader->jump) != 0) return;
  png_read_end(reader->png, reader->info);
  reader->has_reached_end = true;
}

/* Whether libpng has handed out all there is of the picture. */
static bool is_complete(const pc_png_reader *reader) {
  if (reader->height == 0 || reader->delivered < reader->height) return false;
  return !reader->is_interlaced || png_get_current_pass_number(reader->png) >= PNG_INTERLACE_ADAM7_PASSES;
}

/* The verdict of design, rule 1. */
static void judge(pc_png_reader *reader) {
  if (reader->status == PCStatusOK) reader->status = reader->picture_status;
  bool has_all_pixels = is_complete(reader);
  if (reader->status == PCStatusOK && has_all_pixels) finish_picture(reader);
  if (reader->status == PCStatusOK && !has_all_pixels) {
    pc_png_fail(reader, PCStatusCorrupt, "the image was not read to its last row", "");
  }
  if (reader->status == PCStatusTruncated && has_all_pixels) reader->status = PCStatusMissingEndMarker;
  if (reader->status == PCStatusOK && reader->has_broken_end) {
    pc_png_fail(reader, PCStatusMissingEndMarker, "", "IEND: CRC error");
  }
  bool may_rule = reader->status == PCStatusOK || reader->status == PCStatusMissingEndMarker;
  if (reader->has_lost_data && may_rule) pc_png_fail(reader, PCStatusCorrupt, "", reader->loss);
}

pc_ending pc_png_reader_finish(pc_png_reader *reader) {
  pc_ending ending = {PCStatusOK, 0, 0};
  judge(reader);
  uint64_t left = pc_source_drain(reader->source);
  if (reader->has_reached_end) ending.trailing_bytes = left;
  ending.damage = reader->status;
  ending.warnings = reader->warnings;
  return ending;
}

/* ---- Questions ---- */

const pc_fault *pc_png_reader_fault(const pc_png_reader *reader) { return &reader->fault; }

uint32_t pc_png_reader_notes(const pc_png_reader *reader) { return reader->notes; }

const uint8_t *pc_png_reader_exif(const pc_png_reader *reader, size_t *count) {
  *count = reader->blocks.exif_count;
  return reader->blocks.exif;
}

const uint8_t *pc_png_reader_raw_exif(const pc_png_reader *reader, size_t *count, bool *is_app1) {
  *count = reader->blocks.raw_count;
  *is_app1 = reader->blocks.is_raw_app1;
  return reader->blocks.raw;
}

/* libpng's getters only look; none of them can jump with a valid info. */
const uint8_t *pc_png_reader_profile(const pc_png_reader *reader, size_t *count) {
  png_charp name = NULL;
  int compression = 0;
  png_bytep profile = NULL;
  png_uint_32 length = 0;
  *count = 0;
  if (png_get_iCCP(reader->png, reader->info, &name, &compression, &profile, &length) == 0) return NULL;
  *count = length;
  return profile;
}

pc_png_color pc_png_reader_color(const pc_png_reader *reader) {
  pc_png_color color = {0};
  color.has_gamma = png_get_gAMA(reader->png, reader->info, &color.gamma) != 0;
  double *c = color.chromaticities;
  color.has_chromaticities =
      png_get_cHRM(reader->png, reader->info, &c[0], &c[1], &c[2], &c[3], &c[4], &c[5], &c[6], &c[7]) != 0;
  int intent = 0;
  color.has_srgb = png_get_sRGB(reader->png, reader->info, &intent) != 0;
  return color;
}
