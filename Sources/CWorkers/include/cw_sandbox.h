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

/* Tries something that a sandboxed process may not do and returns 0 when it could, else the errno; for tests.
   0 open, 1 socket, 2 exec, 3 fork, 4 kill of the parent, 5 connect, 6 unlink, 7 ptrace. */
int32_t cw_sandbox_try(int32_t what);

#pragma clang assume_nonnull end
#endif
