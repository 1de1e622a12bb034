/* Collects the marker segments of a JPEG that say something of the picture: Exif, ICC profile, multi-picture index. */
#ifndef PC_JPEG_MARKERS_H
#define PC_JPEG_MARKERS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#pragma clang assume_nonnull begin

/* One numbered part of an ICC profile (ICC.1, annex B.4). */
typedef struct pc_profile_part {
  uint8_t *_Nullable bytes;
  size_t count;
} pc_profile_part;

typedef struct pc_jpeg_markers {
  /* The segment being read. */
  uint8_t *_Nullable segment;
  size_t capacity;
  /* The first Exif block, without its six bytes of signature. */
  uint8_t *_Nullable exif;
  size_t exif_count;
  /* By sequence number; 0 is not used. */
  pc_profile_part parts[256];
  int parts_expected;
  bool is_profile_broken;
  bool has_more_images;
} pc_jpeg_markers;

/* Room for a segment's payload; NULL when there is no memory, and the segment is then passed over. */
uint8_t *_Nullable pc_jpeg_markers_begin(pc_jpeg_markers *markers, size_t length);
/* Looks at the `count` bytes that were read of an APPn segment. */
void pc_jpeg_markers_end(pc_jpeg_markers *markers, int number, size_t count);
/* The size of the whole profile; 0 when there is none or a part is missing. */
size_t pc_jpeg_markers_profile_size(const pc_jpeg_markers *markers);
/* Whether there are parts of a profile that make no whole. */
bool pc_jpeg_markers_lack_profile(const pc_jpeg_markers *markers);
void pc_jpeg_markers_copy_profile(const pc_jpeg_markers *markers, uint8_t *buffer);
void pc_jpeg_markers_free(pc_jpeg_markers *markers);

#pragma clang assume_nonnull end
#endif
