/* Sends HTTP requests, many at a time on one thread, with libcurl, which is loaded when the first session is made. */
#ifndef CPUBLISHING_H
#define CPUBLISHING_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#pragma clang assume_nonnull begin

/* How a transfer ended. */
typedef enum __attribute__((enum_extensibility(closed))) CPEnd {
  /* The server has answered; whether it is content says `CPResult.code`. */
  CPEndAnswered = 0,
  /* The request itself is not one: address, scheme, memory. */
  CPEndRefused,
  /* No such host, no connection: the server has seen nothing of the request. */
  CPEndNotReached,
  /* The certificate is not to be trusted. */
  CPEndUntrusted,
  /* Out of time, or too slow for too long. */
  CPEndTimedOut,
  /* The connection broke, or what came is no HTTP. */
  CPEndBroken,
  /* The taker of the answer wanted no more of it. */
  CPEndStopped,
  /* The file that was sent is not what it was when it was opened; its last bytes were not sent. */
  CPEndContentChanged,
} CPEnd;

/* A piece of a body: bytes, or a range of a file. */
typedef struct CPPart {
  /* NULL for a range of `descriptor`. Copied when the transfer is added. */
  const uint8_t *_Nullable bytes;
  /* Borrowed until the transfer is freed; read with pread. */
  int32_t descriptor;
  int64_t offset;
  int64_t length;
  /* Of the file when it was opened: size, and mtime and ctime in nanoseconds. They must still hold at the last byte. */
  int64_t file_size;
  int64_t file_modified;
  int64_t file_changed;
} CPPart;

/* What takes the answer. Called on the thread of `cp_session_perform`. False ends the transfer as CPEndStopped. */
typedef struct CPSink {
  void *context;
  /* One line of a head as it came, its line end included; a status line begins a new head. */
  bool (*line)(void *context, const uint8_t *bytes, size_t length);
  bool (*body)(void *context, const uint8_t *bytes, size_t length);
} CPSink;

/* What is asked. All is copied, but for the descriptors. */
typedef struct CPPlan {
  const char *method;
  /* https, or http where that is allowed. Redirections are never followed here. */
  const char *address;
  /* "Name: value"; one without a value ("Name;" for an empty one, "Name:" to send none), as curl has it. */
  const char *const _Nonnull *_Nullable headers;
  size_t header_count;
  bool has_body;
  const CPPart *_Nullable parts;
  size_t part_count;
  const char *agent;
  /* A file of certificates to trust instead of the system's; NULL for those. */
  const char *_Nullable authorities;
  bool allows_http;
  /* In milliseconds; `total` 0 is none. */
  int32_t connect_limit;
  int32_t total_limit;
  /* Fewer than 1,000 bytes a second for so many seconds end the transfer; 0 is never. */
  int32_t stall_seconds;
} CPPlan;

typedef struct CPResult {
  CPEnd end;
  /* The HTTP status, 0 without an answer. */
  int32_t code;
  /* Why there is none, in libcurl's words; ends in NUL. */
  char reason[256];
} CPResult;

/* Transfers that run side by side. Everything but the making and `cp_session_wake` belongs to one thread. */
typedef struct CPSession CPSession;
typedef struct CPTransfer CPTransfer;

/* NULL when libcurl is not there or has no memory, with the reason. */
CPSession *_Nullable cp_session_make(char reason[_Nonnull 256]);
/* Every transfer must have been freed. */
void cp_session_free(CPSession *session);

/* Begins a transfer; NULL when it cannot begin, with how and why in `result`. */
CPTransfer *_Nullable cp_session_add(CPSession *session, const CPPlan *plan, CPSink sink, CPResult *result);
/* Ends a transfer, over or not, and frees it. */
void cp_transfer_free(CPTransfer *transfer);

/* Moves what can be moved without waiting. 0, or libcurl's code (CURLMcode) when nothing can be moved any more. */
int32_t cp_session_perform(CPSession *session);
/* A transfer that is over, with its result; NULL when no more are. It is still to be freed. */
CPTransfer *_Nullable cp_session_next(CPSession *session, CPResult *result);
/* Waits until something can be moved, at most so long, or until somebody wakes it. 0, or libcurl's code when it
   could not wait: it has returned at once. */
int32_t cp_session_wait(CPSession *session, int32_t milliseconds);
/* Ends the wait, or the next one. From any thread. */
void cp_session_wake(CPSession *session);

/* How an address got along with another one. */
typedef enum __attribute__((enum_extensibility(closed))) CPAddressing {
  CPAddressingSameOrigin = 0,
  CPAddressingOtherOrigin,
  CPAddressingInvalid,
} CPAddressing;

/* Writes where `reference`, found in an answer of `base`, leads to; says whether scheme, host and port are the same.
   Invalid: no address, one that names a user, one longer than the place. */
CPAddressing cp_address_join(const char *base, const char *reference, char *place, size_t capacity);

#pragma clang assume_nonnull end
#endif
