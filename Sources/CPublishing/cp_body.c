#include "cp_transfer.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static int64_t nanoseconds(struct timespec time) { return (int64_t)time.tv_sec * 1000000000 + time.tv_nsec; }

static bool is_unchanged(const CPPart *part) {
  struct stat now;
  return fstat(part->descriptor, &now) == 0 && now.st_size == part->file_size &&
         nanoseconds(now.st_mtim) == part->file_modified && nanoseconds(now.st_ctim) == part->file_changed;
}

/* Reads exactly `length` bytes; false when the file has no more or cannot be read. */
static bool read_range(const CPPart *part, int64_t position, char *place, size_t length) {
  size_t done = 0;
  while (done < length) {
    ssize_t count = pread(part->descriptor, place + done, length - done, part->offset + position + (int64_t)done);
    if (count < 0 && errno == EINTR) continue;
    if (count <= 0) return false;
    done += (size_t)count;
  }
  return true;
}

/* libcurl sends whatever it is given, also beyond the length it has announced: what is given here ends where the parts
   end. The last bytes of a file go out only when it is still the file that was opened. */
size_t cp_body_read(char *place, size_t size, size_t count, void *context) {
  CPTransfer *transfer = context;
  size_t room = size * count, done = 0;
  while (done < room && transfer->part < transfer->part_count) {
    const CPPart *part = &transfer->parts[transfer->part];
    int64_t left = part->length - transfer->position;
    size_t piece = left < (int64_t)(room - done) ? (size_t)left : room - done;
    if (part->bytes != NULL) {
      memcpy(place + done, part->bytes + transfer->position, piece);
    } else {
      bool is_last = (int64_t)piece == left;
      if (!read_range(part, transfer->position, place + done, piece) || (is_last && !is_unchanged(part))) {
        transfer->has_changed = true;
        return CURL_READFUNC_ABORT;
      }
    }
    done += piece;
    transfer->position += (int64_t)piece;
    if (transfer->position == part->length) {
      transfer->part += 1;
      transfer->position = 0;
    }
  }
  return done;
}

/* libcurl sends a request again by itself when a connection that was used before dies without an answer. What has gone
   out may have arrived and been stored: whether it is sent again is for those to decide who can ask first. */
int cp_body_seek(void *context, curl_off_t offset, int origin) {
  const CPTransfer *transfer = context;
  bool is_untouched = transfer->part == 0 && transfer->position == 0;
  return origin == SEEK_SET && offset == 0 && is_untouched ? CURL_SEEKFUNC_OK : CURL_SEEKFUNC_CANTSEEK;
}
