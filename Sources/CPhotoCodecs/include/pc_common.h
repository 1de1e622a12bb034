/* What the readers and writers share: status codes, limits, and where bytes come from. */
#ifndef PC_COMMON_H
#define PC_COMMON_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#pragma clang assume_nonnull begin

/* Reads up to `capacity` bytes into `buffer`; 0 is the end. It may not call back into the codec that called it. */
typedef size_t (*pc_read_fn)(void *_Nullable context, uint8_t *buffer, size_t capacity);

/* Where a reader's bytes come from. */
typedef struct pc_source {
  pc_read_fn read;
  void *_Nullable context;
} pc_source;

/* How a read went. */
typedef enum __attribute__((enum_extensibility(closed))) PCStatus {
  PCStatusOK = 0,
  PCStatusTruncated,
  PCStatusCorrupt,
  PCStatusMissingEndMarker,
  PCStatusEmpty,
  PCStatusNotAnImage,
  PCStatusUnsupported,
  PCStatusTooLarge,
  PCStatusCancelled,
} PCStatus;

/* What a reader may spend on one picture. */
typedef struct pc_limits {
  uint64_t pixels;
  /* Bytes. */
  uint64_t memory;
  /* Scans of a JPEG. */
  uint32_t scans;
} pc_limits;

/* Room for a fault's reason and for the library's own words about it. */
#define PC_REASON_LENGTH 160
#define PC_DETAIL_LENGTH 216

/* A fault in words. `reason` may be empty: then the status says enough. `detail` is what the library said. */
typedef struct pc_fault {
  char reason[PC_REASON_LENGTH];
  char detail[PC_DETAIL_LENGTH];
} pc_fault;

/* Things worth a note that are no damage. */
enum {
  PC_NOTE_ODD_HEADER = 1 << 0,
  PC_NOTE_EXTRA_IMAGES = 1 << 1,
  PC_NOTE_TEXT_DROPPED = 1 << 2,
  PC_NOTE_PROFILE_IGNORED = 1 << 3,
  PC_NOTE_CMYK_NO_MARKER = 1 << 4,
  PC_NOTE_EXIF_BROKEN = 1 << 5,
};

/* The stored colour model. */
typedef enum __attribute__((enum_extensibility(closed))) PCColor {
  PCColorGray = 0,
  PCColorRGB,
  PCColorYCbCr,
  PCColorCMYK,
  PCColorYCCK,
  PCColorPalette,
  PCColorGrayAlpha,
  PCColorRGBA,
} PCColor;

/* What a picture's header says. Sizes are those stored in the file. */
typedef struct pc_picture_header {
  uint32_t width;
  uint32_t height;
  /* Bits a sample; of a palette picture bits an index. */
  uint32_t bit_depth;
  uint32_t components;
  PCColor color;
  bool is_progressive;
  bool has_transparency;
} pc_picture_header;

/* What the rows look like that a reader delivers: 8 bits a sample, interleaved, no padding. */
typedef struct pc_row_format {
  uint32_t width;
  uint32_t height;
  /* 1 gray, 3 RGB, 4 CMYK with 0 = no ink. */
  uint32_t channels;
  bool is_full_scale;
} pc_row_format;

/* How a picture ended. `damage` is PCStatusOK when every code was read and nothing was lost. */
typedef struct pc_ending {
  PCStatus damage;
  uint32_t warnings;
  uint64_t trailing_bytes;
} pc_ending;

#pragma clang assume_nonnull end
#endif
