/* Takes from a decoder process what it does not need. */
#ifndef CW_SANDBOX_H
#define CW_SANDBOX_H

#include <stdbool.h>
#include <stdint.h>

#pragma clang assume_nonnull begin

/* Measures of the sandbox; a set of them says what was refused. */
enum {
  CW_MEASURE_NO_NEW_PRIVILEGES = 1 << 0,
  CW_MEASURE_MEMORY_LIMIT = 1 << 1,
  CW_MEASURE_FILE_LIMITS = 1 << 2,
  CW_MEASURE_NO_CORE = 1 << 3,
  CW_MEASURE_SYSTEM_CALLS = 1 << 4,
  CW_MEASURE_DIE_WITH_PARENT = 1 << 5,
};

/* Whether a sanitizer is built in; its own memory and files make limits senseless. */
bool cw_sandbox_is_sanitized(void);

/* Makes this process die when the thread that started it ends. */
bool cw_sandbox_die_with_parent(void);

/* Drops everything but reading, writing and memory up to `memory` bytes. Returns the measures that the kernel refused. */
uint32_t cw_sandbox_enter(uint64_t memory);

/* What a sandboxed process may not do. The numbers are part of the protocol. */
typedef enum __attribute__((enum_extensibility(closed))) CWAttempt {
  CWAttemptOpen = 0,
  CWAttemptSocket = 1,
  CWAttemptExec = 2,
  CWAttemptFork = 3,
  CWAttemptSignalParent = 4,
  CWAttemptConnect = 5,
  CWAttemptUnlink = 6,
  CWAttemptTrace = 7,
  CWAttemptRunMemory = 8,
  CWAttemptRaiseLimit = 9,
} CWAttempt;

/* Tries it and returns 0 when it could, else the errno; for tests. */
int32_t cw_sandbox_try(CWAttempt what);

#pragma clang assume_nonnull end
#endif
