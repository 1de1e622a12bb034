#include "cp_transfer.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

CPSession *cp_session_make(char reason[256]) {
  const CPLibrary *library = cp_library();
  if (!library->is_ready) {
    snprintf(reason, 256, "%s", library->reason);
    return NULL;
  }
  CPSession *session = calloc(1, sizeof *session);
  CURLM *multi = session != NULL ? library->multi_init() : NULL;
  if (multi == NULL) {
    free(session);
    snprintf(reason, 256, "out of memory");
    return NULL;
  }
  session->multi = multi;
  library->multi_setopt(multi, CURLMOPT_MAXCONNECTS, 64L);
  return session;
}

void cp_session_free(CPSession *session) {
  cp_library()->multi_cleanup(session->multi);
  free(session);
}

static size_t take_line(char *bytes, size_t size, size_t count, void *context) {
  CPTransfer *transfer = context;
  if (transfer->sink.line(transfer->sink.context, (const uint8_t *)bytes, size * count)) return size * count;
  transfer->is_stopped = true;
  return 0;
}

static size_t take_body(char *bytes, size_t size, size_t count, void *context) {
  CPTransfer *transfer = context;
  if (transfer->sink.body(transfer->sink.context, (const uint8_t *)bytes, size * count)) return size * count;
  transfer->is_stopped = true;
  return 0;
}

static bool copy_parts(CPTransfer *transfer, const CPPlan *plan) {
  if (plan->part_count == 0) return true;
  transfer->parts = calloc(plan->part_count, sizeof *transfer->parts);
  if (transfer->parts == NULL) return false;
  for (size_t index = 0; index < plan->part_count; index++) {
    CPPart part = plan->parts[index];
    if (part.length <= 0) continue;
    if (part.bytes != NULL) {
      uint8_t *copy = malloc((size_t)part.length);
      if (copy == NULL) return false;
      memcpy(copy, part.bytes, (size_t)part.length);
      part.bytes = copy;
    }
    transfer->parts[transfer->part_count++] = part;
    transfer->length += part.length;
  }
  return true;
}

static bool copy_headers(CPTransfer *transfer, const CPPlan *plan) {
  for (size_t index = 0; index < plan->header_count; index++) {
    struct curl_slist *longer = cp_library()->slist_append(transfer->headers, plan->headers[index]);
    if (longer == NULL) return false;
    transfer->headers = longer;
  }
  return true;
}

#define SET(option, value) \
  if (code == CURLE_OK) code = library->easy_setopt(handle, option, value)

static CURLcode prepare(CPTransfer *transfer, const CPPlan *plan) {
  const CPLibrary *library = cp_library();
  CURL *handle = transfer->handle;
  CURLcode code = library->easy_setopt(handle, CURLOPT_ERRORBUFFER, transfer->reason);
  SET(CURLOPT_PRIVATE, transfer);
  SET(CURLOPT_URL, plan->address);
  SET(CURLOPT_PROTOCOLS_STR, plan->allows_http ? "https,http" : "https");
  SET(CURLOPT_FOLLOWLOCATION, 0L);
  /* A key may hold "./" or "//"; what is signed is what is sent. */
  SET(CURLOPT_PATH_AS_IS, 1L);
  /* One connection a transfer: over one HTTP/2 connection uploads would wait for each other's windows. */
  SET(CURLOPT_HTTP_VERSION, (long)CURL_HTTP_VERSION_1_1);
  SET(CURLOPT_USERAGENT, plan->agent);
  SET(CURLOPT_HTTPHEADER, transfer->headers);
  SET(CURLOPT_HEADERFUNCTION, take_line);
  SET(CURLOPT_HEADERDATA, transfer);
  SET(CURLOPT_WRITEFUNCTION, take_body);
  SET(CURLOPT_WRITEDATA, transfer);
  /* Or a slow name server would be timed by SIGALRM. */
  SET(CURLOPT_NOSIGNAL, 1L);
  SET(CURLOPT_CONNECTTIMEOUT_MS, (long)plan->connect_limit);
  SET(CURLOPT_TIMEOUT_MS, (long)plan->total_limit);
  SET(CURLOPT_LOW_SPEED_LIMIT, plan->stall_seconds > 0 ? 1000L : 0L);
  SET(CURLOPT_LOW_SPEED_TIME, (long)plan->stall_seconds);
  SET(CURLOPT_BUFFERSIZE, 131072L);
  if (plan->authorities != NULL) SET(CURLOPT_CAINFO, plan->authorities);
  if (plan->has_body) {
    SET(CURLOPT_UPLOAD, 1L);
    SET(CURLOPT_UPLOAD_BUFFERSIZE, 524288L);
    SET(CURLOPT_INFILESIZE_LARGE, (curl_off_t)transfer->length);
    SET(CURLOPT_READFUNCTION, cp_body_read);
    SET(CURLOPT_READDATA, transfer);
    SET(CURLOPT_SEEKFUNCTION, cp_body_seek);
    SET(CURLOPT_SEEKDATA, transfer);
  } else if (strcmp(plan->method, "HEAD") == 0) {
    SET(CURLOPT_NOBODY, 1L);
  }
  if (plan->has_body || (strcmp(plan->method, "HEAD") != 0 && strcmp(plan->method, "GET") != 0)) {
    SET(CURLOPT_CUSTOMREQUEST, plan->method);
  }
  return code;
}

CPTransfer *cp_session_add(CPSession *session, const CPPlan *plan, CPSink sink, CPResult *result) {
  const CPLibrary *library = cp_library();
  memset(result, 0, sizeof *result);
  result->end = CPEndRefused;
  snprintf(result->reason, sizeof result->reason, "out of memory");
  CPTransfer *transfer = calloc(1, sizeof *transfer);
  if (transfer == NULL) return NULL;
  transfer->session = session;
  transfer->sink = sink;
  transfer->handle = library->easy_init();
  if (transfer->handle == NULL || !copy_parts(transfer, plan) || !copy_headers(transfer, plan)) {
    cp_transfer_free(transfer);
    return NULL;
  }
  CURLcode code = prepare(transfer, plan);
  if (code != CURLE_OK || library->multi_add_handle(session->multi, transfer->handle) != CURLM_OK) {
    const char *reason = transfer->reason[0] != '\0' ? transfer->reason : library->easy_strerror(code);
    snprintf(result->reason, sizeof result->reason, "%s", code != CURLE_OK ? reason : "libcurl refuses the request");
    cp_transfer_free(transfer);
    return NULL;
  }
  return transfer;
}

void cp_transfer_free(CPTransfer *transfer) {
  const CPLibrary *library = cp_library();
  if (transfer->handle != NULL) {
    /* Harmless when it was never added. */
    library->multi_remove_handle(transfer->session->multi, transfer->handle);
    library->easy_cleanup(transfer->handle);
  }
  library->slist_free_all(transfer->headers);
  for (size_t index = 0; index < transfer->part_count; index++) free((void *)transfer->parts[index].bytes);
  free(transfer->parts);
  free(transfer);
}

static CPEnd end_of(CURLcode code, const CPTransfer *transfer) {
  if (transfer->has_changed) return CPEndContentChanged;
  if (transfer->is_stopped) return CPEndStopped;
  switch (code) {
    case CURLE_OK: return CPEndAnswered;
    case CURLE_URL_MALFORMAT:
    case CURLE_UNSUPPORTED_PROTOCOL:
    case CURLE_OUT_OF_MEMORY:
    case CURLE_BAD_FUNCTION_ARGUMENT: return CPEndRefused;
    case CURLE_COULDNT_RESOLVE_HOST:
    case CURLE_COULDNT_RESOLVE_PROXY:
    case CURLE_COULDNT_CONNECT:
    case CURLE_SSL_CONNECT_ERROR: return CPEndNotReached;
    case CURLE_PEER_FAILED_VERIFICATION:
    case CURLE_SSL_CACERT_BADFILE:
    case CURLE_SSL_ISSUER_ERROR:
    case CURLE_SSL_CERTPROBLEM: return CPEndUntrusted;
    case CURLE_OPERATION_TIMEDOUT: return CPEndTimedOut;
    default: return CPEndBroken;
  }
}

int32_t cp_session_perform(CPSession *session) {
  int running = 0;
  return (int32_t)cp_library()->multi_perform(session->multi, &running);
}

CPTransfer *cp_session_next(CPSession *session, CPResult *result) {
  const CPLibrary *library = cp_library();
  int left = 0;
  for (CURLMsg *message; (message = library->multi_info_read(session->multi, &left)) != NULL;) {
    if (message->msg != CURLMSG_DONE) continue;
    CURLcode code = message->data.result;
    CPTransfer *transfer = NULL;
    library->easy_getinfo(message->easy_handle, CURLINFO_PRIVATE, &transfer);
    if (transfer == NULL) continue;
    memset(result, 0, sizeof *result);
    result->end = end_of(code, transfer);
    long answered = 0;
    library->easy_getinfo(transfer->handle, CURLINFO_RESPONSE_CODE, &answered);
    result->code = (int32_t)answered;
    const char *reason = transfer->reason[0] != '\0' ? transfer->reason : library->easy_strerror(code);
    /* Our own refusal to go back is not what went wrong. */
    if (code == CURLE_SEND_FAIL_REWIND) reason = "the connection broke before there was an answer";
    if (code != CURLE_OK) snprintf(result->reason, sizeof result->reason, "%s", reason);
    return transfer;
  }
  return NULL;
}

int32_t cp_session_wait(CPSession *session, int32_t milliseconds) {
  return (int32_t)cp_library()->multi_poll(session->multi, NULL, 0, milliseconds, NULL);
}

void cp_session_wake(CPSession *session) { cp_library()->multi_wakeup(session->multi); }
