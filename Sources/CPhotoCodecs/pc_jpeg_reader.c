/* Reads JPEG through libjpeg. libjpeg's errors jump back to the entry point that they happened in and no further. */
#include "pc_jpeg_reader.h"

#include <limits.h>
#include <setjmp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <jpeglib.h>
#include <jerror.h>

#include "pc_jpeg_markers.h"

/* Rows handed to libjpeg in one call. */
#define ROW_BATCH 16

struct pc_jpeg_reader {
  struct jpeg_decompress_struct cinfo;
  struct jpeg_error_mgr errors;
  struct jpeg_source_mgr stream;
  /* Armed by every entry point that calls libjpeg. */
  jmp_buf jump;
  pc_source_state *source;
  pc_limits limits;
  /* The first failure; once set, no entry point touches libjpeg again. */
  PCStatus status;
  pc_fault fault;
  pc_jpeg_markers markers;

  uint32_t warnings;
  uint32_t notes;
  bool has_lost_data;
  bool has_hit_end;
  /* The library's words for the first loss of data. */
  char loss[PC_DETAIL_LENGTH];

  bool is_created;
  bool has_header;
  bool is_buffered;
  bool has_all_rows;
  bool is_in_stand_in;
  bool is_in_picture;
  /* Scans whose components were marked, and whether each component had a scan with its DC. */
  int scans_marked;
  bool has_dc[MAX_COMPONENTS];
  /* Whether all bits of all coefficients came; asked before libjpeg drops its records of them. */
  bool is_refined;
  JSAMPROW rows[ROW_BATCH];
};

/* ---- Faults ---- */

static PCStatus fail(pc_jpeg_reader *reader, PCStatus status, const char *reason, const char *detail) {
  reader->status = status;
  snprintf(reader->fault.reason, sizeof reader->fault.reason, "%s", reason);
  snprintf(reader->fault.detail, sizeof reader->fault.detail, "%s", detail);
  return status;
}

/* What an error of libjpeg means to somebody who has the photo. */
static PCStatus status_of_error(const pc_jpeg_reader *reader, const char **reason) {
  *reason = "";
  switch (reader->errors.msg_code) {
    case JERR_BAD_PRECISION:
      *reason = "samples of this depth are not decoded";
      return PCStatusUnsupported;
    case JERR_SOF_UNSUPPORTED:
      *reason = "lossless and hierarchical JPEG are not decoded";
      return PCStatusUnsupported;
    case JERR_EMPTY_IMAGE:
      if (reader->cinfo.image_width > 0 && reader->cinfo.image_height == 0) {
        *reason = "the height is given only behind the picture (DNL)";
        return PCStatusUnsupported;
      }
      return PCStatusCorrupt;
    case JERR_ARITH_NOTIMPL:
    case JERR_CCIR601_NOTIMPL:
    case JERR_CONVERSION_NOTIMPL:
    case JERR_FRACT_SAMPLE_NOTIMPL:
    case JERR_NOT_COMPILED:
    case JERR_COMPONENT_COUNT:
      return PCStatusUnsupported;
    case JERR_OUT_OF_MEMORY:
    case JERR_NO_BACKING_STORE:
      *reason = "decoding needs more memory than the limit allows";
      return PCStatusTooLarge;
    case JERR_IMAGE_TOO_BIG:
    case JERR_WIDTH_OVERFLOW:
      return PCStatusTooLarge;
    default:
      return reader->has_hit_end ? PCStatusTruncated : PCStatusCorrupt;
  }
}

static void error_exit(j_common_ptr common) {
  pc_jpeg_reader *reader = (pc_jpeg_reader *)common->client_data;
  if (reader->status == PCStatusOK) {
    char words[JMSG_LENGTH_MAX];
    (*common->err->format_message)(common, words);
    const char *reason;
    PCStatus status = status_of_error(reader, &reason);
    fail(reader, status, reason, words);
  }
  longjmp(reader->jump, 1);
}

/* Ends a libjpeg call from inside a callback of ours. */
static void stop(pc_jpeg_reader *reader, PCStatus status, const char *reason) {
  fail(reader, status, reason, "");
  longjmp(reader->jump, 1);
}

static bool is_behind_header(const pc_jpeg_reader *reader) { return reader->cinfo.input_scan_number > 0; }

/* Whether a warning tells that data of the picture is lost (design, rule 2). */
static bool loses_data(const pc_jpeg_reader *reader, int code) {
  switch (code) {
    case JWRN_ADOBE_XFORM:
    case JWRN_JFIF_MAJOR:
    case JWRN_NOT_SEQUENTIAL:
      return false;
    case JWRN_EXTRANEOUS_DATA:
      return is_behind_header(reader);
    case JWRN_JPEG_EOF:
      return false; /* has_hit_end says so, and whether it cost pixels turns out later. */
    default:
      return true;
  }
}

static void emit_message(j_common_ptr common, int level) {
  pc_jpeg_reader *reader = (pc_jpeg_reader *)common->client_data;
  if (level >= 0) return;
  common->err->num_warnings++;
  reader->warnings++;
  int code = common->err->msg_code;
  if (loses_data(reader, code)) {
    if (!reader->has_lost_data) {
      char words[JMSG_LENGTH_MAX];
      (*common->err->format_message)(common, words);
      snprintf(reader->loss, sizeof reader->loss, "%s", words);
    }
    reader->has_lost_data = true;
  } else if (code != JWRN_JPEG_EOF) {
    reader->notes |= PC_NOTE_ODD_HEADER;
  }
}

static void output_message(j_common_ptr common) { (void)common; }

/* ---- Bytes ---- */

static void init_source(j_decompress_ptr cinfo) { (void)cinfo; }

static boolean fill_input_buffer(j_decompress_ptr cinfo) {
  static const JOCTET end_of_image[2] = {0xFF, JPEG_EOI};
  pc_jpeg_reader *reader = (pc_jpeg_reader *)cinfo->client_data;
  if (!reader->has_hit_end && pc_source_refill(reader->source)) {
    reader->stream.next_input_byte = reader->source->buffer;
    reader->stream.bytes_in_buffer = reader->source->end;
    return TRUE;
  }
  if (pc_source_is_cancelled(reader->source)) stop(reader, PCStatusCancelled, "the load was given up");
  reader->has_hit_end = true;
  WARNMS(cinfo, JWRN_JPEG_EOF);
  reader->stream.next_input_byte = end_of_image;
  reader->stream.bytes_in_buffer = sizeof end_of_image;
  return TRUE;
}

static void skip_input_data(j_decompress_ptr cinfo, long count) {
  pc_jpeg_reader *reader = (pc_jpeg_reader *)cinfo->client_data;
  size_t left = count > 0 ? (size_t)count : 0;
  while (left > reader->stream.bytes_in_buffer) {
    if (reader->has_hit_end) return;
    left -= reader->stream.bytes_in_buffer;
    fill_input_buffer(cinfo);
  }
  reader->stream.next_input_byte += left;
  reader->stream.bytes_in_buffer -= left;
}

static void term_source(j_decompress_ptr cinfo) { (void)cinfo; }

/* Hands bytes that libjpeg did not take back to the source. */
static void give_back(pc_jpeg_reader *reader) {
  if (reader->has_hit_end) {
    reader->source->position = reader->source->end;
  } else {
    reader->source->position = reader->source->end - reader->stream.bytes_in_buffer;
  }
}

/* ---- Marker segments of interest ---- */

/* Takes over one APP1 or APP2 segment and passes over what nobody wants of it. */
static boolean read_segment(j_decompress_ptr cinfo) {
  pc_jpeg_reader *reader = (pc_jpeg_reader *)cinfo->client_data;
  size_t length = 0;
  for (int index = 0; index < 2; index++) {
    if (reader->stream.bytes_in_buffer == 0) fill_input_buffer(cinfo);
    length = length << 8 | *reader->stream.next_input_byte++;
    reader->stream.bytes_in_buffer--;
  }
  if (length < 2) ERREXIT(cinfo, JERR_BAD_LENGTH);
  length -= 2;
  uint8_t *segment = pc_jpeg_markers_begin(&reader->markers, length);
  size_t taken = 0;
  while (taken < length && !reader->has_hit_end) {
    if (reader->stream.bytes_in_buffer == 0) {
      fill_input_buffer(cinfo);
      continue;
    }
    size_t count = length - taken;
    if (count > reader->stream.bytes_in_buffer) count = reader->stream.bytes_in_buffer;
    if (segment != NULL) memcpy(segment + taken, reader->stream.next_input_byte, count);
    reader->stream.next_input_byte += count;
    reader->stream.bytes_in_buffer -= count;
    taken += count;
  }
  if (segment != NULL) {
    pc_jpeg_markers_end(&reader->markers, cinfo->unread_marker - JPEG_APP0, taken);
    if (reader->markers.has_more_images) reader->notes |= PC_NOTE_EXTRA_IMAGES;
  }
  return TRUE;
}

/* ---- Life ---- */

pc_jpeg_reader *pc_jpeg_reader_create(pc_source_state *source, pc_limits limits) {
  pc_jpeg_reader *reader = calloc(1, sizeof *reader);
  if (reader == NULL) return NULL;
  reader->source = source;
  reader->limits = limits;
  reader->cinfo.err = jpeg_std_error(&reader->errors);
  reader->errors.error_exit = error_exit;
  reader->errors.emit_message = emit_message;
  reader->errors.output_message = output_message;
  reader->cinfo.client_data = reader;
  if (setjmp(reader->jump) != 0) {
    free(reader);
    return NULL;
  }
  jpeg_create_decompress(&reader->cinfo);
  reader->cinfo.client_data = reader;
  reader->is_created = true;
  reader->stream.init_source = init_source;
  reader->stream.fill_input_buffer = fill_input_buffer;
  reader->stream.skip_input_data = skip_input_data;
  reader->stream.resync_to_restart = jpeg_resync_to_restart;
  reader->stream.term_source = term_source;
  reader->stream.next_input_byte = source->buffer + source->position;
  reader->stream.bytes_in_buffer = source->end - source->position;
  reader->cinfo.src = &reader->stream;
  jpeg_set_marker_processor(&reader->cinfo, JPEG_APP0 + 1, read_segment);
  jpeg_set_marker_processor(&reader->cinfo, JPEG_APP0 + 2, read_segment);
  return reader;
}

void pc_jpeg_reader_destroy(pc_jpeg_reader *reader) {
  if (reader->is_created && setjmp(reader->jump) == 0) jpeg_destroy_decompress(&reader->cinfo);
  pc_jpeg_markers_free(&reader->markers);
  free(reader);
}

/* ---- Header ---- */

static PCColor stored_color(const pc_jpeg_reader *reader) {
  switch (reader->cinfo.jpeg_color_space) {
    case JCS_GRAYSCALE: return PCColorGray;
    case JCS_RGB: return PCColorRGB;
    case JCS_CMYK: return PCColorCMYK;
    case JCS_YCCK: return PCColorYCCK;
    default: return PCColorYCbCr;
  }
}

/* The coefficients of a picture that comes in several scans, which libjpeg keeps whole. */
static uint64_t coefficient_bytes(pc_jpeg_reader *reader) {
  uint64_t bytes = 0;
  for (int index = 0; index < reader->cinfo.num_components; index++) {
    const jpeg_component_info *component = &reader->cinfo.comp_info[index];
    uint64_t across = component->width_in_blocks + (uint64_t)component->h_samp_factor;
    uint64_t down = component->height_in_blocks + (uint64_t)component->v_samp_factor;
    bytes += across * down * DCTSIZE2 * sizeof(JCOEF);
  }
  return bytes;
}

static PCStatus check_limits(pc_jpeg_reader *reader) {
  uint64_t pixels = (uint64_t)reader->cinfo.image_width * reader->cinfo.image_height;
  char reason[PC_REASON_LENGTH];
  if (pixels > reader->limits.pixels) {
    snprintf(
        reason, sizeof reason, "the picture has %llu pixels, and the limit is %llu pixels", (unsigned long long)pixels,
        (unsigned long long)reader->limits.pixels);
    return fail(reader, PCStatusTooLarge, reason, "");
  }
  uint64_t memory = jpeg_has_multiple_scans(&reader->cinfo) ? coefficient_bytes(reader) : 0;
  if (memory > reader->limits.memory) {
    snprintf(
        reason, sizeof reason, "the picture needs %llu MiB of memory, and the limit is %llu MiB",
        (unsigned long long)((memory + (1 << 20) - 1) >> 20), (unsigned long long)(reader->limits.memory >> 20));
    return fail(reader, PCStatusTooLarge, reason, "");
  }
  return PCStatusOK;
}

/* Remembers which components the scan that has just begun brings. */
static void mark_scan(pc_jpeg_reader *reader) {
  struct jpeg_decompress_struct *cinfo = &reader->cinfo;
  if (cinfo->input_scan_number == reader->scans_marked) return;
  reader->scans_marked = cinfo->input_scan_number;
  if ((uint32_t)cinfo->input_scan_number > reader->limits.scans) {
    char reason[PC_REASON_LENGTH];
    snprintf(
        reason, sizeof reason, "the picture has scan number %d, and the limit is %u scans", cinfo->input_scan_number,
        reader->limits.scans);
    stop(reader, PCStatusTooLarge, reason);
  }
  if (cinfo->progressive_mode && cinfo->Ss != 0) return;
  for (int index = 0; index < cinfo->comps_in_scan; index++) {
    reader->has_dc[cinfo->cur_comp_info[index]->component_index] = true;
  }
}

PCStatus pc_jpeg_reader_read_header(pc_jpeg_reader *reader, pc_picture_header *header) {
  if (reader->status != PCStatusOK) return reader->status;
  if (setjmp(reader->jump) != 0) {
    if (reader->has_hit_end && reader->status == PCStatusCorrupt) reader->status = PCStatusTruncated;
    return reader->status;
  }
  reader->cinfo.mem->max_memory_to_use =
      reader->limits.memory > LONG_MAX ? LONG_MAX : (long)reader->limits.memory;
  jpeg_read_header(&reader->cinfo, TRUE);
  header->width = reader->cinfo.image_width;
  header->height = reader->cinfo.image_height;
  header->bit_depth = (uint32_t)reader->cinfo.data_precision;
  header->components = (uint32_t)reader->cinfo.num_components;
  header->color = stored_color(reader);
  header->is_progressive = reader->cinfo.progressive_mode;
  header->has_transparency = false;
  reader->has_header = true;
  if (reader->cinfo.jpeg_color_space == JCS_UNKNOWN) {
    char reason[PC_REASON_LENGTH];
    snprintf(reason, sizeof reason, "pictures of %d components are not decoded", reader->cinfo.num_components);
    return fail(reader, PCStatusUnsupported, reason, "");
  }
  if ((header->color == PCColorCMYK || header->color == PCColorYCCK) && !reader->cinfo.saw_Adobe_marker) {
    reader->notes |= PC_NOTE_CMYK_NO_MARKER;
  }
  return check_limits(reader);
}

/* ---- Rows ---- */

/* The smallest of the scales that libjpeg decodes fast, in eighths. */
static unsigned int eighths_for(uint32_t long_side, uint32_t minimum) {
  if (minimum == 0) return 8;
  for (unsigned int eighths = 1; eighths < 8; eighths *= 2) {
    if (((uint64_t)long_side * eighths + 7) / 8 >= minimum) return eighths;
  }
  return 8;
}

PCStatus pc_jpeg_reader_begin(
    pc_jpeg_reader *reader, uint32_t minimum_long_side, bool wants_stand_in, pc_row_format *format) {
  if (reader->status != PCStatusOK) return reader->status;
  if (setjmp(reader->jump) != 0) return reader->status;
  struct jpeg_decompress_struct *cinfo = &reader->cinfo;
  (void)wants_stand_in;
  switch (cinfo->jpeg_color_space) {
    case JCS_GRAYSCALE: cinfo->out_color_space = JCS_GRAYSCALE; break;
    case JCS_CMYK:
    case JCS_YCCK: cinfo->out_color_space = JCS_CMYK; break;
    default: cinfo->out_color_space = JCS_RGB; break;
  }
  uint32_t long_side = cinfo->image_width > cinfo->image_height ? cinfo->image_width : cinfo->image_height;
  cinfo->scale_num = eighths_for(long_side, minimum_long_side);
  cinfo->scale_denom = 8;
  cinfo->dct_method = JDCT_ISLOW;
  reader->is_buffered = jpeg_has_multiple_scans(cinfo);
  cinfo->buffered_image = reader->is_buffered;
  mark_scan(reader);
  jpeg_start_decompress(cinfo);
  format->width = cinfo->output_width;
  format->height = cinfo->output_height;
  format->channels = (uint32_t)cinfo->output_components;
  format->is_full_scale = cinfo->scale_num == 8;
  return PCStatusOK;
}

/* Reads one more piece of the file's codes; JPEG_REACHED_EOI at the end of them. */
static int consume(pc_jpeg_reader *reader) {
  if (pc_source_is_cancelled(reader->source)) stop(reader, PCStatusCancelled, "the load was given up");
  int got = jpeg_consume_input(&reader->cinfo);
  mark_scan(reader);
  return got;
}

/* Copies up to `max_rows` rows out of libjpeg; inks are turned so that 0 is none (design, rule 4). */
static size_t take_rows(pc_jpeg_reader *reader, uint8_t *rows, size_t max_rows) {
  struct jpeg_decompress_struct *cinfo = &reader->cinfo;
  size_t stride = (size_t)cinfo->output_width * (size_t)cinfo->output_components;
  size_t count = 0;
  while (count < max_rows && cinfo->output_scanline < cinfo->output_height) {
    if (pc_source_is_cancelled(reader->source)) stop(reader, PCStatusCancelled, "the load was given up");
    size_t want = max_rows - count < ROW_BATCH ? max_rows - count : ROW_BATCH;
    for (size_t index = 0; index < want; index++) reader->rows[index] = rows + (count + index) * stride;
    JDIMENSION got = jpeg_read_scanlines(cinfo, reader->rows, (JDIMENSION)want);
    if (got == 0) break;
    if (cinfo->out_color_space == JCS_CMYK) {
      uint8_t *inks = rows + count * stride;
      for (size_t index = 0; index < got * stride; index++) inks[index] = (uint8_t)(255 - inks[index]);
    }
    count += got;
  }
  return count;
}

bool pc_jpeg_reader_begin_stand_in(pc_jpeg_reader *reader) {
  if (reader->status != PCStatusOK || !reader->is_buffered || reader->is_in_picture) return false;
  if (!reader->cinfo.progressive_mode || reader->cinfo.comps_in_scan != reader->cinfo.num_components) return false;
  if (setjmp(reader->jump) != 0) return false;
  int got;
  do got = consume(reader);
  while (got != JPEG_SCAN_COMPLETED && got != JPEG_REACHED_EOI);
  if (got != JPEG_SCAN_COMPLETED || reader->has_lost_data || reader->has_hit_end) return false;
  reader->cinfo.do_block_smoothing = FALSE;
  jpeg_start_output(&reader->cinfo, reader->cinfo.input_scan_number);
  reader->is_in_stand_in = true;
  return true;
}

size_t pc_jpeg_reader_read_stand_in(pc_jpeg_reader *reader, uint8_t *rows, size_t max_rows) {
  if (reader->status != PCStatusOK || !reader->is_in_stand_in) return 0;
  if (setjmp(reader->jump) != 0) return 0;
  return take_rows(reader, rows, max_rows);
}

/* Reads all codes of a picture in several scans and gets ready for its rows. */
static void begin_picture(pc_jpeg_reader *reader) {
  struct jpeg_decompress_struct *cinfo = &reader->cinfo;
  if (reader->is_in_stand_in) {
    reader->is_in_stand_in = false;
    jpeg_finish_output(cinfo);
    mark_scan(reader);
  }
  while (consume(reader) != JPEG_REACHED_EOI) continue;
  cinfo->do_block_smoothing = TRUE;
  jpeg_start_output(cinfo, cinfo->input_scan_number);
  reader->is_in_picture = true;
}

PCStatus pc_jpeg_reader_read_rows(pc_jpeg_reader *reader, uint8_t *rows, size_t max_rows, size_t *count) {
  *count = 0;
  if (reader->status != PCStatusOK) return reader->status;
  if (setjmp(reader->jump) != 0) return reader->status;
  if (reader->is_buffered && !reader->is_in_picture) begin_picture(reader);
  *count = take_rows(reader, rows, max_rows);
  reader->has_all_rows = reader->cinfo.output_scanline >= reader->cinfo.output_height;
  return PCStatusOK;
}

/* ---- Ending ---- */

static bool lacks_component(const pc_jpeg_reader *reader) {
  for (int index = 0; index < reader->cinfo.num_components; index++) {
    if (!reader->has_dc[index]) return true;
  }
  return false;
}

/* Whether the picture has all bits of all its coefficients. */
static bool has_all_bits(const pc_jpeg_reader *reader) {
  if (!reader->cinfo.progressive_mode) return true;
  if (reader->cinfo.coef_bits == NULL) return false;
  for (int index = 0; index < reader->cinfo.num_components; index++) {
    for (int bit = 0; bit < DCTSIZE2; bit++) {
      if (reader->cinfo.coef_bits[index][bit] != 0) return false;
    }
  }
  return true;
}

/* The verdict of design, rules 1 and 2, on a picture all of whose rows came. */
static void judge(pc_jpeg_reader *reader) {
  if (reader->status != PCStatusOK) return;
  if (reader->has_lost_data) {
    fail(reader, reader->has_hit_end ? PCStatusTruncated : PCStatusCorrupt, "", reader->loss);
  } else if (reader->has_hit_end) {
    bool is_whole = reader->is_refined && !lacks_component(reader);
    fail(reader, is_whole ? PCStatusMissingEndMarker : PCStatusTruncated, "", "Premature end of JPEG file");
  } else if (lacks_component(reader)) {
    fail(reader, PCStatusCorrupt, "a colour component has no data", "");
  }
}

/* Reads up to the end marker. */
static void finish_picture(pc_jpeg_reader *reader) {
  if (setjmp(reader->jump) != 0) return;
  if (reader->is_buffered) jpeg_finish_output(&reader->cinfo);
  jpeg_finish_decompress(&reader->cinfo);
}

pc_ending pc_jpeg_reader_finish(pc_jpeg_reader *reader) {
  pc_ending ending = {PCStatusOK, 0, 0};
  reader->is_refined = reader->has_header && has_all_bits(reader);
  if (reader->status == PCStatusOK && reader->has_all_rows) finish_picture(reader);
  judge(reader);
  bool is_behind_picture = reader->has_all_rows && (reader->status == PCStatusOK || reader->has_lost_data);
  give_back(reader);
  uint64_t left = pc_source_drain(reader->source);
  if (is_behind_picture && !reader->has_hit_end) ending.trailing_bytes = left;
  ending.damage = reader->status;
  ending.warnings = reader->warnings;
  return ending;
}

/* ---- Questions ---- */

const pc_fault *pc_jpeg_reader_fault(const pc_jpeg_reader *reader) { return &reader->fault; }

uint32_t pc_jpeg_reader_notes(const pc_jpeg_reader *reader) {
  return reader->notes | (reader->markers.is_profile_broken ? (uint32_t)PC_NOTE_PROFILE_IGNORED : 0u);
}

const uint8_t *pc_jpeg_reader_exif(const pc_jpeg_reader *reader, size_t *count) {
  *count = reader->markers.exif_count;
  return reader->markers.exif;
}

size_t pc_jpeg_reader_profile_size(const pc_jpeg_reader *reader) {
  return pc_jpeg_markers_profile_size(&reader->markers);
}

void pc_jpeg_reader_copy_profile(const pc_jpeg_reader *reader, uint8_t *buffer) {
  pc_jpeg_markers_copy_profile(&reader->markers, buffer);
}
