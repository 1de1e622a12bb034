/* Reads JPEG through libjpeg: header, stand-in, rows, verdict. Every entry point arms the jump that libjpeg's errors take. */
#include "pc_jpeg_reader.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "pc_jpeg_state.h"

/* ---- Life ---- */

pc_jpeg_reader *pc_jpeg_reader_create(pc_source_state *source, pc_limits limits) {
  pc_jpeg_reader *reader = calloc(1, sizeof *reader);
  if (reader == NULL) return NULL;
  reader->source = source;
  reader->limits = limits;
  pc_jpeg_install_faults(reader);
  if (setjmp(reader->jump) != 0) {
    jpeg_destroy((j_common_ptr)&reader->cinfo);
    free(reader);
    return NULL;
  }
  jpeg_create_decompress(&reader->cinfo);
  reader->cinfo.client_data = reader;
  reader->is_created = true;
  pc_jpeg_install_stream(reader);
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
    return pc_jpeg_fail(reader, PCStatusTooLarge, reason, "");
  }
  uint64_t memory = jpeg_has_multiple_scans(&reader->cinfo) ? coefficient_bytes(reader) : 0;
  if (memory > reader->limits.memory) {
    snprintf(
        reason, sizeof reason, "the picture needs %llu MiB of memory, and the limit is %llu MiB",
        (unsigned long long)((memory + (1 << 20) - 1) >> 20), (unsigned long long)(reader->limits.memory >> 20));
    return pc_jpeg_fail(reader, PCStatusTooLarge, reason, "");
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
    pc_jpeg_stop(reader, PCStatusTooLarge, reason);
  }
  if (cinfo->progressive_mode && cinfo->Ss != 0) return;
  for (int index = 0; index < cinfo->comps_in_scan; index++) {
    reader->has_dc[cinfo->cur_comp_info[index]->component_index] = true;
  }
}

PCStatus pc_jpeg_reader_read_header(pc_jpeg_reader *reader, pc_picture_header *header) {
  if (reader->status != PCStatusOK) return reader->status;
  if (setjmp(reader->jump) != 0) return reader->status;
  reader->cinfo.mem->max_memory_to_use =
      reader->limits.memory > LONG_MAX ? LONG_MAX : (long)reader->limits.memory;
  if (jpeg_read_header(&reader->cinfo, TRUE) == JPEG_SUSPENDED) {
    return pc_jpeg_fail(reader, PCStatusTruncated, "", "Premature end of JPEG file");
  }
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
    return pc_jpeg_fail(reader, PCStatusUnsupported, reason, "");
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

PCStatus pc_jpeg_reader_begin(pc_jpeg_reader *reader, uint32_t minimum_long_side, pc_row_format *format) {
  if (reader->status != PCStatusOK) return reader->status;
  if (setjmp(reader->jump) != 0) return reader->status;
  struct jpeg_decompress_struct *cinfo = &reader->cinfo;
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
  reader->has_begun = true;
  format->width = cinfo->output_width;
  format->height = cinfo->output_height;
  format->channels = (uint32_t)cinfo->output_components;
  format->is_full_scale = cinfo->scale_num == 8;
  return PCStatusOK;
}

/* Reads one more piece of the file's codes; JPEG_REACHED_EOI at the end of them. */
static int consume(pc_jpeg_reader *reader) {
  pc_jpeg_stop_when_cancelled(reader);
  int got = jpeg_consume_input(&reader->cinfo);
  if (got == JPEG_SUSPENDED) {
    pc_jpeg_leave_segment(reader);
    got = jpeg_consume_input(&reader->cinfo);
  }
  mark_scan(reader);
  return got;
}

/* Copies up to `max_rows` rows out of libjpeg; inks are turned so that 0 is none (design, rule 4). */
static size_t take_rows(pc_jpeg_reader *reader, uint8_t *rows, size_t max_rows) {
  struct jpeg_decompress_struct *cinfo = &reader->cinfo;
  size_t stride = (size_t)cinfo->output_width * (size_t)cinfo->output_components;
  size_t count = 0;
  while (count < max_rows && cinfo->output_scanline < cinfo->output_height) {
    pc_jpeg_stop_when_cancelled(reader);
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
    while (!jpeg_finish_output(cinfo)) pc_jpeg_leave_segment(reader);
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
  if (!reader->has_all_rows) {
    pc_jpeg_fail(reader, PCStatusCorrupt, "the image was not read to its last row", "");
  } else if (reader->has_lost_data) {
    pc_jpeg_fail(reader, reader->has_hit_end ? PCStatusTruncated : PCStatusCorrupt, "", reader->loss);
  } else if (reader->has_hit_end) {
    /* Arithmetic decoding makes up what is missing without a word (T.81, D.2.6), so nothing says that it is whole. */
    bool is_whole = reader->is_refined && !lacks_component(reader) && !reader->cinfo.arith_code;
    pc_jpeg_fail(reader, is_whole ? PCStatusMissingEndMarker : PCStatusTruncated, "", "Premature end of JPEG file");
  } else if (lacks_component(reader)) {
    pc_jpeg_fail(reader, PCStatusCorrupt, "a colour component has no data", "");
  } else if (!reader->is_refined) {
    /* T.81 lets an encoder keep bits back, and none does; but a file cut between two scans looks like that too, once
       somebody has put an end marker behind it. */
    pc_jpeg_fail(reader, PCStatusTruncated, "scans of a progressive picture are missing", "");
  }
}

/* Reads up to the end marker. */
static void finish_picture(pc_jpeg_reader *reader) {
  if (setjmp(reader->jump) != 0) return;
  if (reader->is_buffered) (void)jpeg_finish_output(&reader->cinfo);
  while (!jpeg_finish_decompress(&reader->cinfo)) pc_jpeg_leave_segment(reader);
  reader->has_reached_end = true;
}

pc_ending pc_jpeg_reader_finish(pc_jpeg_reader *reader) {
  pc_ending ending = {PCStatusOK, 0, 0};
  reader->is_refined = reader->has_header && has_all_bits(reader);
  if (reader->status == PCStatusOK && reader->has_all_rows) finish_picture(reader);
  judge(reader);
  pc_jpeg_give_back(reader);
  uint64_t left = pc_source_drain(reader->source);
  if (reader->has_reached_end && !reader->has_hit_end) ending.trailing_bytes = left;
  ending.damage = reader->status;
  ending.warnings = reader->warnings;
  return ending;
}

/* ---- Questions ---- */

const pc_fault *pc_jpeg_reader_fault(const pc_jpeg_reader *reader) { return &reader->fault; }

uint32_t pc_jpeg_reader_notes(const pc_jpeg_reader *reader) {
  return reader->notes | (pc_jpeg_markers_lack_profile(&reader->markers) ? (uint32_t)PC_NOTE_PROFILE_IGNORED : 0u);
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
