/* Feeds libjpeg from the stream and keeps the marker segments that say something of the picture. */
#include <string.h>

#include "pc_jpeg_state.h"

#include <jerror.h>

/* From 512 bytes for each block of an MCU on, libjpeg-turbo takes a shortcut that reads a code which is in no table as zero,
   without a word; its plain way warns, and does not depend on how the bytes came. */
#define SHORTCUT 512

/* How many bytes libjpeg gets at once. How many blocks an MCU has is only sure for the one scan of a picture that has begun. */
static size_t slice(const pc_jpeg_reader *reader) {
  const struct jpeg_decompress_struct *cinfo = &reader->cinfo;
  bool is_sure = reader->has_begun && !reader->is_buffered && cinfo->blocks_in_MCU > 1;
  return SHORTCUT * (is_sure ? (size_t)cinfo->blocks_in_MCU : 1) - 1;
}

/* Hands the next buffered bytes to libjpeg; source->position is where they end. */
static void hand_over(pc_jpeg_reader *reader) {
  pc_source_state *source = reader->source;
  size_t left = source->end - source->position;
  size_t most = slice(reader);
  size_t count = left < most ? left : most;
  reader->stream.next_input_byte = source->buffer + source->position;
  reader->stream.bytes_in_buffer = count;
  source->position += count;
}

static void init_source(j_decompress_ptr cinfo) { (void)cinfo; }

/* Whether libjpeg reads the body of a segment. There it can be told to wait; made-up bytes would be taken for a table. */
static bool is_in_segment(const struct jpeg_decompress_struct *cinfo) {
  int marker = cinfo->unread_marker;
  return marker >= 0xC0 && (marker < JPEG_RST0 || marker > JPEG_EOI);
}

/* Puts an end marker behind the last byte of the file. */
static void end_stream(j_decompress_ptr cinfo) {
  static const JOCTET end_of_image[2] = {0xFF, JPEG_EOI};
  pc_jpeg_reader *reader = (pc_jpeg_reader *)cinfo->client_data;
  pc_jpeg_stop_when_cancelled(reader);
  if (!reader->has_hit_end) WARNMS(cinfo, JWRN_JPEG_EOF);
  reader->has_hit_end = true;
  reader->stream.next_input_byte = end_of_image;
  reader->stream.bytes_in_buffer = sizeof end_of_image;
}

static boolean fill_input_buffer(j_decompress_ptr cinfo) {
  pc_jpeg_reader *reader = (pc_jpeg_reader *)cinfo->client_data;
  pc_source_state *source = reader->source;
  if (!reader->has_hit_end && (source->position < source->end || pc_source_refill(source))) {
    hand_over(reader);
    return TRUE;
  }
  end_stream(cinfo);
  return !is_in_segment(cinfo);
}

void pc_jpeg_leave_segment(pc_jpeg_reader *reader) {
  reader->cinfo.unread_marker = 0;
  end_stream(&reader->cinfo);
}

static void skip_input_data(j_decompress_ptr cinfo, long count) {
  pc_jpeg_reader *reader = (pc_jpeg_reader *)cinfo->client_data;
  size_t left = count > 0 ? (size_t)count : 0;
  while (left > reader->stream.bytes_in_buffer) {
    if (reader->has_hit_end) return;
    left -= reader->stream.bytes_in_buffer;
    (void)fill_input_buffer(cinfo);
  }
  reader->stream.next_input_byte += left;
  reader->stream.bytes_in_buffer -= left;
}

static void term_source(j_decompress_ptr cinfo) { (void)cinfo; }

void pc_jpeg_give_back(pc_jpeg_reader *reader) {
  if (reader->has_hit_end) {
    reader->source->position = reader->source->end;
  } else {
    reader->source->position -= reader->stream.bytes_in_buffer;
  }
}

/* Takes over one APP1 or APP2 segment; false when the file ends inside it, and what there is of it was taken. */
static boolean read_segment(j_decompress_ptr cinfo) {
  pc_jpeg_reader *reader = (pc_jpeg_reader *)cinfo->client_data;
  size_t length = 0;
  for (int index = 0; index < 2; index++) {
    if (reader->stream.bytes_in_buffer == 0 && !fill_input_buffer(cinfo)) return FALSE;
    length = length << 8 | *reader->stream.next_input_byte++;
    reader->stream.bytes_in_buffer--;
  }
  /* A length that does not even count itself: libjpeg passes over such a segment of its own, and so do we. */
  if (length < 2) reader->notes |= PC_NOTE_ODD_HEADER;
  length = length > 2 ? length - 2 : 0;
  uint8_t *segment = pc_jpeg_markers_begin(&reader->markers, length);
  size_t taken = 0;
  while (taken < length) {
    if (reader->stream.bytes_in_buffer == 0 && !fill_input_buffer(cinfo)) break;
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
  return taken == length;
}

void pc_jpeg_install_stream(pc_jpeg_reader *reader) {
  reader->stream.init_source = init_source;
  reader->stream.fill_input_buffer = fill_input_buffer;
  reader->stream.skip_input_data = skip_input_data;
  reader->stream.resync_to_restart = jpeg_resync_to_restart;
  reader->stream.term_source = term_source;
  hand_over(reader);
  reader->cinfo.src = &reader->stream;
  jpeg_set_marker_processor(&reader->cinfo, JPEG_APP0 + 1, read_segment);
  jpeg_set_marker_processor(&reader->cinfo, JPEG_APP0 + 2, read_segment);
}
