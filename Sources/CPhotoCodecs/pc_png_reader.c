/* Reads PNG through libpng. libpng's errors jump back to the entry point that they happened in and no further. */
#include "pc_png_reader.h"

#include <setjmp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <png.h>

#include "pc_png_blocks.h"

/* A profile or any other ancillary chunk that is larger is dropped (libpng's own default). */
#define CHUNK_LIMIT 8000000

struct pc_png_reader {
  png_structp png;
  png_infop info;
  /* Armed by every entry point that calls libpng. */
  jmp_buf jump;
  pc_source_state *source;
  pc_limits limits;
  /* The first failure; once set, no entry point touches libpng again. */
  PCStatus status;
  pc_fault fault;
  pc_png_blocks blocks;

  uint32_t warnings;
  uint32_t notes;
  bool has_lost_data;
  bool has_hit_end;
  char loss[PC_DETAIL_LENGTH];

  uint32_t width;
  uint32_t height;
  uint32_t channels;
  bool has_alpha;
  bool is_interlaced;
  /* How many of `height` rows were delivered. */
  uint32_t delivered;
  /* One row as libpng gives it, with alpha; or the whole picture when it is interlaced. */
  uint8_t *row;
  uint8_t *picture;
  size_t stride;
  bool is_picture_read;
  PCStatus picture_status;
};

/* ---- Faults ---- */

static PCStatus fail(pc_png_reader *reader, PCStatus status, const char *reason, const char *detail) {
  reader->status = status;
  snprintf(reader->fault.reason, sizeof reader->fault.reason, "%s", reason);
  snprintf(reader->fault.detail, sizeof reader->fault.detail, "%s", detail);
  return status;
}

static void on_error(png_structp png, png_const_charp message) {
  pc_png_reader *reader = png_get_error_ptr(png);
  if (reader->status == PCStatusOK) {
    fail(reader, reader->has_hit_end ? PCStatusTruncated : PCStatusCorrupt, "", message);
  }
  longjmp(reader->jump, 1);
}

static bool begins(const char *text, const char *with) { return strncmp(text, with, strlen(with)) == 0; }

/* Whether a warning tells that data of the picture itself is lost (design, rule 1). */
static bool loses_data(const char *message) {
  bool is_of_picture = begins(message, "IDAT") || begins(message, "IHDR") || begins(message, "PLTE");
  if (!is_of_picture) return false;
  return strstr(message, "CRC error") != NULL || strstr(message, "incorrect data check") != NULL ||
         strstr(message, "invalid") == message + 6;
}

static void on_warning(png_structp png, png_const_charp message) {
  pc_png_reader *reader = png_get_error_ptr(png);
  reader->warnings++;
  if (loses_data(message) && !begins(message, "PLTE: invalid")) {
    if (!reader->has_lost_data) snprintf(reader->loss, sizeof reader->loss, "%s", message);
    reader->has_lost_data = true;
  } else if (begins(message, "tEXt") || begins(message, "zTXt") || begins(message, "iTXt")) {
    reader->notes |= PC_NOTE_TEXT_DROPPED;
  } else if (begins(message, "iCCP")) {
    if (strstr(message, "known incorrect") == NULL) reader->notes |= PC_NOTE_PROFILE_IGNORED;
  } else {
    reader->notes |= PC_NOTE_ODD_HEADER;
  }
}

/* ---- Bytes ---- */

static void read_bytes(png_structp png, png_bytep bytes, size_t count) {
  pc_png_reader *reader = png_get_io_ptr(png);
  pc_source_state *source = reader->source;
  while (count > 0) {
    size_t have = source->end - source->position;
    if (have == 0) {
      if (pc_source_refill(source)) continue;
      if (pc_source_is_cancelled(source)) {
        fail(reader, PCStatusCancelled, "the load was given up", "");
      } else {
        reader->has_hit_end = true;
      }
      png_error(png, "Read Error");
    }
    size_t taken = have < count ? have : count;
    memcpy(bytes, source->buffer + source->position, taken);
    source->position += taken;
    bytes += taken;
    count -= taken;
  }
}

static int on_chunk(png_structp png, png_unknown_chunkp chunk) {
  pc_png_reader *reader = png_get_user_chunk_ptr(png);
  /* A capital first letter: who does not know the chunk cannot show the picture. Zero lets libpng refuse it. */
  if ((chunk->name[0] & 0x20) == 0) return 0;
  uint32_t notes = pc_png_blocks_take(&reader->blocks, (const char *)chunk->name, chunk->data, chunk->size);
  reader->notes |= notes;
  return 1;
}

/* ---- Life ---- */

pc_png_reader *pc_png_reader_create(pc_source_state *source, pc_limits limits) {
  /* Chunks that come raw to on_chunk: Exif, text and the frame count of an animation. */
  static const png_byte own_chunks[] = "eXIf\0tEXt\0zTXt\0iTXt\0acTL";
  pc_png_reader *reader = calloc(1, sizeof *reader);
  if (reader == NULL) return NULL;
  reader->source = source;
  reader->limits = limits;
  if (setjmp(reader->jump) != 0) {
    pc_png_reader_destroy(reader);
    return NULL;
  }
  reader->png = png_create_read_struct(PNG_LIBPNG_VER_STRING, reader, on_error, on_warning);
  if (reader->png != NULL) reader->info = png_create_info_struct(reader->png);
  if (reader->info == NULL) {
    pc_png_reader_destroy(reader);
    return NULL;
  }
  png_set_read_fn(reader->png, reader, read_bytes);
  png_set_read_user_chunk_fn(reader->png, reader, on_chunk);
  png_set_keep_unknown_chunks(reader->png, PNG_HANDLE_CHUNK_ALWAYS, own_chunks, 5);
  png_set_user_limits(reader->png, PNG_UINT_31_MAX, PNG_UINT_31_MAX);
  png_set_chunk_malloc_max(reader->png, CHUNK_LIMIT);
  png_set_chunk_cache_max(reader->png, 0);
  png_set_crc_action(reader->png, PNG_CRC_WARN_USE, PNG_CRC_WARN_DISCARD);
  png_set_option(reader->png, PNG_SKIP_sRGB_CHECK_PROFILE, PNG_OPTION_ON);
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

static PCStatus check_limits(pc_png_reader *reader) {
  char reason[PC_REASON_LENGTH];
  uint64_t pixels = (uint64_t)reader->width * reader->height;
  if (pixels > reader->limits.pixels) {
    snprintf(
        reason, sizeof reason, "the picture has %llu pixels, and the limit is %llu pixels", (unsigned long long)pixels,
        (unsigned long long)reader->limits.pixels);
    return fail(reader, PCStatusTooLarge, reason, "");
  }
  /* One row, or all of them when they come interlaced; four samples a pixel at most. */
  uint64_t memory = reader->is_interlaced ? pixels * 4 : (uint64_t)reader->width * 8 * 2;
  if (memory > reader->limits.memory) {
    snprintf(
        reason, sizeof reason, "the picture needs %llu MiB of memory, and the limit is %llu MiB",
        (unsigned long long)((memory + (1 << 20) - 1) >> 20), (unsigned long long)(reader->limits.memory >> 20));
    return fail(reader, PCStatusTooLarge, reason, "");
  }
  return PCStatusOK;
}

PCStatus pc_png_reader_read_header(pc_png_reader *reader, pc_picture_header *header) {
  if (reader->status != PCStatusOK) return reader->status;
  if (setjmp(reader->jump) != 0) return reader->status;
  pc_source_state *source = reader->source;
  if (pc_source_prefetch(source, 16) >= 16 && memcmp(source->buffer + source->position + 12, "CgBI", 4) == 0) {
    return fail(reader, PCStatusUnsupported, "Apple CgBI PNG pictures are not decoded", "");
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
    return fail(reader, PCStatusCorrupt, "the rows have an unexpected size", "");
  }
  if (reader->is_interlaced) {
    reader->picture = calloc(reader->height, reader->stride);
  } else {
    reader->row = malloc(reader->stride);
  }
  if (reader->picture == NULL && reader->row == NULL) {
    return fail(reader, PCStatusTooLarge, "there is no memory for the picture", "");
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

static void stop_when_cancelled(pc_png_reader *reader) {
  if (!pc_source_is_cancelled(reader->source)) return;
  fail(reader, PCStatusCancelled, "the load was given up", "");
  longjmp(reader->jump, 1);
}

/* Reads all passes of an interlaced picture. Each pass fills the pixels that later ones refine, so a picture that is
   cut short shows as much as there is. */
static void read_picture(pc_png_reader *reader) {
  reader->is_picture_read = true;
  if (setjmp(reader->jump) != 0) {
    /* What the first pass brought is delivered before the failure. */
    reader->picture_status = reader->status;
    if (reader->status != PCStatusCancelled) reader->status = PCStatusOK;
    return;
  }
  for (int pass = 0; pass < PNG_INTERLACE_ADAM7_PASSES; pass++) {
    for (uint32_t row = 0; row < reader->height; row++) {
      stop_when_cancelled(reader);
      png_read_row(reader->png, NULL, reader->picture + (size_t)row * reader->stride);
      if (pass == 0) reader->delivered = row + 1;
    }
  }
}

PCStatus pc_png_reader_read_rows(pc_png_reader *reader, uint8_t *rows, size_t max_rows, size_t *count) {
  *count = 0;
  if (reader->status != PCStatusOK) return reader->status;
  uint32_t first = reader->delivered;
  if (reader->is_interlaced) {
    if (!reader->is_picture_read) {
      read_picture(reader);
      bool has_first_pass = reader->delivered == reader->height;
      reader->delivered = has_first_pass || reader->picture_status == PCStatusOK ? 0 : reader->height;
      first = reader->delivered;
    }
    if (first == reader->height && reader->picture_status != PCStatusOK) reader->status = reader->picture_status;
    if (reader->status != PCStatusOK) return reader->status;
  } else if (setjmp(reader->jump) != 0) {
    /* Rows that came before the failure are whole; the failure is told by the next call. */
    *count = reader->delivered - first;
    return *count > 0 ? PCStatusOK : reader->status;
  }
  size_t size = (size_t)reader->width * reader->channels;
  while (reader->delivered - first < max_rows && reader->delivered < reader->height) {
    stop_when_cancelled(reader);
    const uint8_t *row = reader->row;
    if (reader->is_interlaced) {
      row = reader->picture + (size_t)reader->delivered * reader->stride;
    } else {
      png_read_row(reader->png, reader->row, NULL);
    }
    flatten(reader, row, rows + (reader->delivered - first) * size);
    reader->delivered++;
  }
  *count = reader->delivered - first;
  return PCStatusOK;
}

/* ---- Ending ---- */

/* Reads up to IEND. */
static void finish_picture(pc_png_reader *reader) {
  if (setjmp(reader->jump) != 0) {
    if (reader->has_hit_end && reader->status == PCStatusTruncated) reader->status = PCStatusMissingEndMarker;
    return;
  }
  png_read_end(reader->png, reader->info);
}

pc_ending pc_png_reader_finish(pc_png_reader *reader) {
  pc_ending ending = {PCStatusOK, 0, 0};
  bool has_all_rows = reader->height > 0 && reader->delivered == reader->height;
  if (reader->status == PCStatusOK && reader->picture_status != PCStatusOK) reader->status = reader->picture_status;
  bool reached_end = false;
  if (reader->status == PCStatusOK && has_all_rows) {
    finish_picture(reader);
    reached_end = reader->status == PCStatusOK;
    bool may_rule = reached_end || reader->status == PCStatusMissingEndMarker;
    if (reader->has_lost_data && may_rule) fail(reader, PCStatusCorrupt, "", reader->loss);
  }
  uint64_t left = pc_source_drain(reader->source);
  if (reached_end) ending.trailing_bytes = left;
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
  color.srgb_intent = intent;
  return color;
}
