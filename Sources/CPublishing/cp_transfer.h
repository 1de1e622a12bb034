/* One transfer. Private to this room. */
#ifndef CP_TRANSFER_H
#define CP_TRANSFER_H

#include "CPublishing.h"
#include "cp_library.h"

struct CPSession {
  CURLM *multi;
};

struct CPTransfer {
  CPSession *session;
  CURL *handle;
  struct curl_slist *headers;
  CPPart *parts;
  size_t part_count;
  int64_t length;
  /* Where the next byte of the body is: the part, and how far into it. */
  size_t part;
  int64_t position;
  CPSink sink;
  bool has_changed;
  bool is_stopped;
  char reason[CURL_ERROR_SIZE];
};

/* What libcurl calls for the next bytes of a body, and to go back to its beginning. */
size_t cp_body_read(char *place, size_t size, size_t count, void *transfer);
int cp_body_seek(void *transfer, curl_off_t offset, int origin);

#endif
