/* Starts, watches and ends decoder processes. */
#ifndef CW_PROCESS_H
#define CW_PROCESS_H

#include <stdbool.h>
#include <stdint.h>

#pragma clang assume_nonnull begin

/* The descriptor at which a decoder process finds its socket. */
#define CW_CHILD_SOCKET 3

/* Starts `program` with two arguments after its name. The child has its end of a socket pair at CW_CHILD_SOCKET, the
   null device at 0, 1 and 2, and no other descriptor; a process group of its own; no blocked or ignored signals; the
   environment given. Returns 0 or an errno; only with 0 are `pid` and `socket` set. `socket` is close-on-exec.
   A program that ignores SIGCHLD never learns how a child ended, and its numbers are used again behind its back: an
   ignored SIGCHLD, which may come from whoever started this program, is set back to its default. */
int cw_process_start(
    const char *program, const char *argument, const char *value, char *_Nullable const *_Nonnull environment, int32_t *pid,
    int32_t *socket);

/* How a process ended. */
typedef enum __attribute__((enum_extensibility(closed))) CWEndingKind {
  CWEndingExited = 0,
  CWEndingSignalled,
  /* It still lived when its time was over, and was killed for that. */
  CWEndingKilled,
  /* Somebody else collected it, or the kernel holds on to it. */
  CWEndingUnknown,
} CWEndingKind;

typedef struct cw_ending {
  CWEndingKind kind;
  /* The exit code or the signal. */
  int32_t number;
} cw_ending;

/* Ends a process and collects it. One that is ending by itself gets `patience` milliseconds for that, so that its own
   ending is told; then it is killed. Returns in bounded time, also for a process that the kernel cannot kill at once. */
cw_ending cw_process_end(int32_t pid, int32_t patience);

/* Moves the processor time that a process may use in all, in seconds. False when the kernel refuses. */
bool cw_process_set_cpu_limit(int32_t pid, uint64_t seconds);

/* Processor time that a process has used, in milliseconds; 0 when it is gone. */
uint64_t cw_process_cpu_used(int32_t pid);

/* The system's words for an errno. */
const char *cw_error_words(int32_t error);

#pragma clang assume_nonnull end
#endif
