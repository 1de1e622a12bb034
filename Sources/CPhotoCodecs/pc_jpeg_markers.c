/* Collects Exif, ICC and multi-picture segments; every length is held against what was really read. */
#include "pc_jpeg_markers.h"

#include <stdlib.h>
#include <string.h>

#define EXIF_SIGNATURE "Exif\0"
#define ICC_SIGNATURE "ICC_PROFILE"
#define MPF_SIGNATURE "MPF"

uint8_t *pc_jpeg_markers_begin(pc_jpeg_markers *markers, size_t length) {
  if (length > markers->capacity) {
    uint8_t *larger = realloc(markers->segment, length);
    if (larger == NULL) return NULL;
    markers->segment = larger;
    markers->capacity = length;
  }
  return markers->segment;
}

/* The signatures end in one NUL that counts, Exif's in two. */
static bool begins_with(const pc_jpeg_markers *markers, size_t count, const char *signature, size_t length) {
  return count >= length && memcmp(markers->segment, signature, length) == 0;
}

static uint8_t *_Nullable copy_of(const uint8_t *bytes, size_t count) {
  uint8_t *copy = malloc(count > 0 ? count : 1);
  if (copy != NULL) memcpy(copy, bytes, count);
  return copy;
}

static void take_profile_part(pc_jpeg_markers *markers, size_t count) {
  const size_t head = sizeof ICC_SIGNATURE + 2;
  if (count < head) {
    markers->is_profile_broken = true;
    return;
  }
  int number = markers->segment[sizeof ICC_SIGNATURE];
  int expected = markers->segment[sizeof ICC_SIGNATURE + 1];
  if (number == 0 || number > expected || (markers->parts_expected != 0 && markers->parts_expected != expected)) {
    /* A stray part, such as a second profile's: what is there already decides. */
    if (markers->parts_expected == 0) markers->is_profile_broken = true;
    return;
  }
  markers->parts_expected = expected;
  pc_profile_part *part = &markers->parts[number];
  if (part->bytes != NULL) return;
  part->bytes = copy_of(markers->segment + head, count - head);
  part->count = part->bytes != NULL ? count - head : 0;
}

void pc_jpeg_markers_end(pc_jpeg_markers *markers, int number, size_t count) {
  if (number == 1) {
    if (markers->exif != NULL || !begins_with(markers, count, EXIF_SIGNATURE, sizeof EXIF_SIGNATURE)) return;
    markers->exif = copy_of(markers->segment + sizeof EXIF_SIGNATURE, count - sizeof EXIF_SIGNATURE);
    markers->exif_count = markers->exif != NULL ? count - sizeof EXIF_SIGNATURE : 0;
  } else if (begins_with(markers, count, ICC_SIGNATURE, sizeof ICC_SIGNATURE)) {
    take_profile_part(markers, count);
  } else if (begins_with(markers, count, MPF_SIGNATURE, sizeof MPF_SIGNATURE)) {
    markers->has_more_images = true;
  }
}

size_t pc_jpeg_markers_profile_size(const pc_jpeg_markers *markers) {
  size_t size = 0;
  for (int number = 1; number <= markers->parts_expected; number++) {
    if (markers->parts[number].bytes == NULL) return 0;
    size += markers->parts[number].count;
  }
  return size;
}

bool pc_jpeg_markers_lack_profile(const pc_jpeg_markers *markers) {
  bool has_parts = markers->is_profile_broken || markers->parts_expected > 0;
  return has_parts && pc_jpeg_markers_profile_size(markers) == 0;
}

void pc_jpeg_markers_copy_profile(const pc_jpeg_markers *markers, uint8_t *buffer) {
  for (int number = 1; number <= markers->parts_expected; number++) {
    memcpy(buffer, markers->parts[number].bytes, markers->parts[number].count);
    buffer += markers->parts[number].count;
  }
}

void pc_jpeg_markers_free(pc_jpeg_markers *markers) {
  free(markers->segment);
  free(markers->exif);
  for (int number = 0; number < 256; number++) free(markers->parts[number].bytes);
}
