/* Collects PNG chunks under limits: text beyond them is dropped with a note, and the picture still decodes. */
#include "pc_png_blocks.h"

#include <stdlib.h>
#include <string.h>
#include <zlib.h>

#define TEXT_CHUNKS_LIMIT 100
/* What one compressed text, and all of them together, may unfold to. */
#define TEXT_LIMIT 8000000
#define ALL_TEXT_LIMIT 32000000
#define EXIF_LIMIT (1 << 20)
/* Two digits a byte, line ends and a head of three lines. */
#define RAW_LIMIT (EXIF_LIMIT * 2 + EXIF_LIMIT / 16)

static const char exif_keyword[] = "Raw profile type exif";
static const char app1_keyword[] = "Raw profile type APP1";

static uint8_t *_Nullable copy_of(const uint8_t *bytes, size_t count) {
  uint8_t *copy = malloc(count > 0 ? count : 1);
  if (copy != NULL && count > 0) memcpy(copy, bytes, count);
  return copy;
}

/* Takes `text` over in the place of what was kept before; nothing happens without it. */
static void keep_raw(pc_png_blocks *blocks, uint8_t *_Nullable text, size_t count) {
  if (text == NULL) return;
  free(blocks->raw);
  blocks->raw = text;
  blocks->raw_count = count;
}

/* Unfolds compressed text; keeps it when `wanted`. False when it is larger than the limits or no memory is there. */
static bool unfold(pc_png_blocks *blocks, const uint8_t *data, size_t count, bool wanted) {
  enum { PIECE = 64 << 10 };
  uint8_t *piece = malloc(PIECE);
  if (piece == NULL) return false;
  z_stream stream = {0};
  if (inflateInit(&stream) != Z_OK) {
    free(piece);
    return false;
  }
  size_t limit = blocks->text_budget < TEXT_LIMIT ? blocks->text_budget : TEXT_LIMIT;
  uint8_t *text = NULL;
  size_t total = 0;
  bool fits = true;
  stream.next_in = (Bytef *)data;
  stream.avail_in = (uInt)count;
  int status = Z_OK;
  while (status == Z_OK && fits) {
    stream.next_out = piece;
    stream.avail_out = PIECE;
    status = inflate(&stream, Z_NO_FLUSH);
    size_t got = PIECE - stream.avail_out;
    if (got == 0) break;
    fits = total + got <= limit && (!wanted || total + got <= RAW_LIMIT);
    if (fits && wanted) {
      uint8_t *longer = realloc(text, total + got);
      fits = longer != NULL;
      if (longer != NULL) {
        text = longer;
        memcpy(text + total, piece, got);
      }
    }
    total += got;
  }
  inflateEnd(&stream);
  free(piece);
  blocks->text_budget -= total < blocks->text_budget ? total : blocks->text_budget;
  if (fits && wanted) {
    keep_raw(blocks, text, total);
  } else {
    free(text);
  }
  return fits;
}

/* Skips one string that ends in NUL; NULL when it does not end. */
static const uint8_t *_Nullable behind_string(const uint8_t *from, const uint8_t *end) {
  const uint8_t *nul = from < end ? memchr(from, 0, (size_t)(end - from)) : NULL;
  return nul != NULL ? nul + 1 : NULL;
}

static uint32_t take_text(pc_png_blocks *blocks, char kind, const uint8_t *data, size_t count) {
  if (!blocks->has_text_budget) {
    blocks->text_budget = ALL_TEXT_LIMIT;
    blocks->has_text_budget = true;
  }
  if (++blocks->text_chunks > TEXT_CHUNKS_LIMIT) return PC_NOTE_TEXT_DROPPED;
  const uint8_t *end = data + count;
  const uint8_t *body = behind_string(data, end);
  if (body == NULL) return 0;
  bool is_exif = strcmp((const char *)data, exif_keyword) == 0;
  bool is_app1 = strcmp((const char *)data, app1_keyword) == 0;
  /* An APP1 text may as well hold XMP: the other kind goes before it. */
  bool wanted = blocks->raw == NULL ? is_exif || is_app1 : is_exif && blocks->is_raw_app1;
  bool is_compressed = kind == 'z';
  if (kind == 'z') {
    if (end - body < 1) return 0;
    body += 1; /* compression method */
  } else if (kind == 'i') {
    if (end - body < 2) return 0;
    is_compressed = body[0] != 0;
    body = behind_string(body + 2, end); /* language tag */
    if (body != NULL) body = behind_string(body, end); /* translated keyword */
    if (body == NULL) return 0;
  }
  const uint8_t *before = blocks->raw;
  if (is_compressed) {
    if (!unfold(blocks, body, (size_t)(end - body), wanted)) return PC_NOTE_TEXT_DROPPED;
  } else if (wanted) {
    if ((size_t)(end - body) > RAW_LIMIT) return PC_NOTE_TEXT_DROPPED;
    keep_raw(blocks, copy_of(body, (size_t)(end - body)), (size_t)(end - body));
  }
  if (blocks->raw != before) blocks->is_raw_app1 = is_app1;
  return 0;
}

static uint32_t big_endian(const uint8_t *bytes) {
  return (uint32_t)bytes[0] << 24 | (uint32_t)bytes[1] << 16 | (uint32_t)bytes[2] << 8 | bytes[3];
}

bool pc_png_blocks_want(const char *name) {
  static const char names[][5] = {"eXIf", "tEXt", "zTXt", "iTXt", "acTL"};
  for (size_t index = 0; index < sizeof names / sizeof names[0]; index++) {
    if (memcmp(name, names[index], 4) == 0) return true;
  }
  return false;
}

uint32_t pc_png_blocks_take(pc_png_blocks *blocks, const char *name, const uint8_t *data, size_t count) {
  if (data == NULL || count == 0) return 0;
  if (memcmp(name, "eXIf", 4) == 0) {
    if (blocks->exif != NULL) return 0;
    if (count > EXIF_LIMIT) return PC_NOTE_EXIF_BROKEN;
    blocks->exif = copy_of(data, count);
    blocks->exif_count = blocks->exif != NULL ? count : 0;
    return 0;
  }
  if (memcmp(name, "acTL", 4) == 0) {
    return count >= 4 && big_endian(data) > 1 ? PC_NOTE_EXTRA_IMAGES : 0;
  }
  return take_text(blocks, name[0], data, count);
}

void pc_png_blocks_free(pc_png_blocks *blocks) {
  free(blocks->exif);
  free(blocks->raw);
}
