/* Feeds libpng from the stream, sorts what it complains of, and picks out the chunks that say something of the picture. */
#include <string.h>

#include "pc_png_state.h"

/* A profile or any other ancillary chunk that is larger is dropped (libpng's own default). */
#define CHUNK_LIMIT 8000000

/* ---- Faults ---- */

PCStatus pc_png_fail(pc_png_reader *reader, PCStatus status, const char *reason, const char *detail) {
  reader->status = status;
  snprintf(reader->fault.reason, sizeof reader->fault.reason, "%s", reason);
  snprintf(reader->fault.detail, sizeof reader->fault.detail, "%s", detail);
  return status;
}

void pc_png_on_error(png_structp png, png_const_charp message) {
  pc_png_reader *reader = png_get_error_ptr(png);
  if (reader->status == PCStatusOK) {
    pc_png_fail(reader, reader->has_hit_end ? PCStatusTruncated : PCStatusCorrupt, "", message);
  }
  longjmp(reader->jump, 1);
}

static bool begins(const char *text, const char *with) { return strncmp(text, with, strlen(with)) == 0; }

static bool has(const char *text, const char *words) { return strstr(text, words) != NULL; }

/* Whether a warning tells that data of the picture itself is lost (design, rule 1). */
static bool loses_data(const pc_png_reader *reader, const char *message) {
  if (begins(message, "IDAT: ")) {
    /* More than the picture needs is no loss; every other complaint is. */
    return !has(message, "Extra compressed data") && !has(message, "Too much image data") && !has(message, "Too many");
  }
  if (!has(message, "CRC error")) return false;
  /* Without it pixels would be shown that it hides. */
  if (begins(message, "IHDR") || begins(message, "tRNS")) return true;
  bool has_palette = png_get_color_type(reader->png, reader->info) == PNG_COLOR_TYPE_PALETTE;
  return has_palette && begins(message, "PLTE");
}

static uint32_t note_for(const char *message) {
  if (begins(message, "tEXt") || begins(message, "zTXt") || begins(message, "iTXt")) return PC_NOTE_TEXT_DROPPED;
  if (begins(message, "eXIf")) return PC_NOTE_EXIF_BROKEN;
  if (begins(message, "iCCP")) return has(message, "known incorrect") ? 0 : PC_NOTE_PROFILE_IGNORED;
  /* Frames behind the first are not looked at, however large or broken they are. */
  if (begins(message, "fdAT") || begins(message, "fcTL")) return 0;
  return PC_NOTE_ODD_HEADER;
}

void pc_png_on_warning(png_structp png, png_const_charp message) {
  pc_png_reader *reader = png_get_error_ptr(png);
  reader->warnings++;
  /* The complaint comes just before the chunk, which libpng hands on all the same; one too large is not handed on. */
  if (has(message, ": CRC error")) reader->is_chunk_damaged = pc_png_blocks_want(message);
  if (has(message, "exceeds memory limits")) reader->is_chunk_damaged = false;
  if (begins(message, "IEND: CRC error")) {
    reader->has_broken_end = true;
  } else if (loses_data(reader, message)) {
    if (!reader->has_lost_data) snprintf(reader->loss, sizeof reader->loss, "%s", message);
    reader->has_lost_data = true;
  } else {
    reader->notes |= note_for(message);
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
        pc_png_fail(reader, PCStatusCancelled, "the load was given up", "");
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

/* ---- Chunks ---- */

/* Is shown the chunks asked for below, and every chunk that libpng does not know. */
static int on_chunk(png_structp png, png_unknown_chunkp chunk) {
  pc_png_reader *reader = png_get_user_chunk_ptr(png);
  const char *name = (const char *)chunk->name;
  bool is_damaged = reader->is_chunk_damaged;
  reader->is_chunk_damaged = false;
  /* libpng takes offence at the chunks that it knows, and lets these pass. */
  if ((chunk->location & PNG_HAVE_IHDR) == 0) reader->notes |= PC_NOTE_ODD_HEADER;
  if (pc_png_blocks_want(name)) {
    if (!is_damaged) reader->notes |= pc_png_blocks_take(&reader->blocks, name, chunk->data, chunk->size);
    return 1;
  }
  bool is_critical = (chunk->name[0] & 0x20) == 0;
  if (!is_critical) return 1;
  /* PNG 5.4: without understanding it the picture cannot be shown. */
  char words[PC_DETAIL_LENGTH];
  snprintf(words, sizeof words, "%.4s: unknown critical chunk", name);
  pc_png_fail(reader, PCStatusCorrupt, "", words);
  return -1;
}

void pc_png_install_stream(pc_png_reader *reader) {
  /* Come raw to on_chunk: Exif, text and the frame count of an animation. */
  static const png_byte own_chunks[] = "eXIf\0tEXt\0zTXt\0iTXt\0acTL";
  /* Are of no use here, and libpng would keep any number of them. */
  static const png_byte ignored_chunks[] = "sPLT";
  png_set_read_fn(reader->png, reader, read_bytes);
  png_set_read_user_chunk_fn(reader->png, reader, on_chunk);
  png_set_keep_unknown_chunks(reader->png, PNG_HANDLE_CHUNK_ALWAYS, own_chunks, 5);
  png_set_keep_unknown_chunks(reader->png, PNG_HANDLE_CHUNK_NEVER, ignored_chunks, 1);
  png_set_user_limits(reader->png, PNG_UINT_31_MAX, PNG_UINT_31_MAX);
  png_set_chunk_malloc_max(reader->png, CHUNK_LIMIT);
  png_set_crc_action(reader->png, PNG_CRC_WARN_USE, PNG_CRC_WARN_DISCARD);
  png_set_option(reader->png, PNG_SKIP_sRGB_CHECK_PROFILE, PNG_OPTION_ON);
}
