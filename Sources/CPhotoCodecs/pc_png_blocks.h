/* Collects the chunks of a PNG that say something of the picture: eXIf, old Exif text, animation control. */
#ifndef PC_PNG_BLOCKS_H
#define PC_PNG_BLOCKS_H

#include "pc_common.h"

#pragma clang assume_nonnull begin

typedef struct pc_png_blocks {
  uint8_t *_Nullable exif;
  size_t exif_count;
  /* The text of the first `Raw profile type exif`, else of the first `Raw profile type APP1`. */
  uint8_t *_Nullable raw;
  size_t raw_count;
  bool is_raw_app1;
  uint32_t text_chunks;
  /* Bytes that compressed text may still unfold to. */
  size_t text_budget;
  bool has_text_budget;
} pc_png_blocks;

/* Whether chunks of this name are looked at: eXIf, tEXt, zTXt, iTXt, acTL. `name` has four characters at least. */
bool pc_png_blocks_want(const char *name);
/* Looks at one such chunk; returns PC_NOTE bits. */
uint32_t pc_png_blocks_take(pc_png_blocks *blocks, const char *name, const uint8_t *_Nullable data, size_t count);
void pc_png_blocks_free(pc_png_blocks *blocks);

#pragma clang assume_nonnull end
#endif
