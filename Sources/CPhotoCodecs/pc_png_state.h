/* The state of a PNG reader, shared by the files that make it up. */
#ifndef PC_PNG_STATE_H
#define PC_PNG_STATE_H

#include <setjmp.h>
#include <stdio.h>

#include <png.h>

#include "pc_png_blocks.h"
#include "pc_png_reader.h"

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
  /* Whether IEND came with a wrong checksum. */
  bool has_broken_end;
  /* The library's words for the first loss of data. */
  char loss[PC_DETAIL_LENGTH];
  /* Whether the chunk that comes to on_chunk next has a wrong checksum. */
  bool is_chunk_damaged;

  uint32_t width;
  uint32_t height;
  uint32_t channels;
  bool has_alpha;
  bool is_interlaced;
  /* Rows that were handed out. */
  uint32_t delivered;
  /* One row as libpng gives it, with alpha; or the whole picture when it is interlaced. */
  uint8_t *row;
  uint8_t *picture;
  size_t stride;
  /* Of an interlaced picture: whether it was read, how that went, and how many rows have all there is of them. */
  bool is_picture_read;
  PCStatus picture_status;
  uint32_t decoded;
  /* Whether IEND was read. */
  bool has_reached_end;
};

/* Stores the first failure and its words; returns `status`. */
PCStatus pc_png_fail(pc_png_reader *reader, PCStatus status, const char *reason, const char *detail);
/* Makes libpng's errors and warnings ours. An error ends the libpng call that is under way: it jumps. */
void pc_png_on_error(png_structp png, png_const_charp message) __attribute__((noreturn));
void pc_png_on_warning(png_structp png, png_const_charp message);
/* Lets libpng read from the reader's source, and keeps the chunks of interest. */
void pc_png_install_stream(pc_png_reader *reader);

#endif
