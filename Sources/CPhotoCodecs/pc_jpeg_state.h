/* The state of a JPEG reader, shared by the files that make it up. */
#ifndef PC_JPEG_STATE_H
#define PC_JPEG_STATE_H

#include <setjmp.h>
#include <stdio.h>

#include <jpeglib.h>

#include "pc_jpeg_markers.h"
#include "pc_jpeg_reader.h"

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
  /* Whether the rows have begun, and the first scan is set up. */
  bool has_begun;
  bool is_buffered;
  bool has_all_rows;
  /* Whether the end marker was read, or made up behind the last byte. */
  bool has_reached_end;
  bool is_in_stand_in;
  bool is_in_picture;
  /* Scans whose components were marked, and whether each component had a scan with its DC. */
  int scans_marked;
  bool has_dc[MAX_COMPONENTS];
  /* Whether all bits of all coefficients came; asked before libjpeg drops its records of them. */
  bool is_refined;
  JSAMPROW rows[ROW_BATCH];
};

/* Stores the first failure and its words; returns `status`. */
PCStatus pc_jpeg_fail(pc_jpeg_reader *reader, PCStatus status, const char *reason, const char *detail);
/* Fails and ends the libjpeg call that is under way: jumps to the entry point. */
void pc_jpeg_stop(pc_jpeg_reader *reader, PCStatus status, const char *reason) __attribute__((noreturn));
/* Stops when the load was given up. */
void pc_jpeg_stop_when_cancelled(pc_jpeg_reader *reader);
/* Makes libjpeg's errors and warnings ours. */
void pc_jpeg_install_faults(pc_jpeg_reader *reader);
/* Lets libjpeg read from the reader's source, and keeps the segments of interest. */
void pc_jpeg_install_stream(pc_jpeg_reader *reader);
/* Ends the segment that the file ends in: to be called when libjpeg waits for bytes (JPEG_SUSPENDED), which it does
   there only. What follows is the end marker. */
void pc_jpeg_leave_segment(pc_jpeg_reader *reader);
/* Hands bytes that libjpeg did not take back to the source. */
void pc_jpeg_give_back(pc_jpeg_reader *reader);

#endif
