/* Starts, watches and ends decoder processes. */
#ifndef CW_PROCESS_H
#define CW_PROCESS_H

#include <stdbool.h>
#include <stdint.h>

#pragma clang assume_nonnull begin

/* The descriptor at which a decoder process finds its socket. */
#define CW_CHILD_SOCKET 3

/* Starts `program` with two arguments after its name. The child has its end of a socket pair at CW_CHILD_SOCKET, the
   null device at 0, 1 and 2, and no other descriptor; no blocked or ignored signals; the environment given.
   Returns 0 or an errno; `socket` is close-on-exec. */
int cw_process_start(
    const char *program, const char *argument, const char *value, char *_Nullable const *_Nonnull environment, int32_t *pid,
    int32_t *socket);

/* How a process ended. */
typedef struct cw_ending {
  bool by_signal;
  /* The signal, or the exit code. */
  int32_t number;
} cw_ending;

/* Kills the process and waits for its end. A process that has ended already tells how. */
cw_ending cw_process_end(int32_t pid);
/* Waits for a process that is known to be ending, such as one whose socket was closed. */
cw_ending cw_process_reap(int32_t pid);

/* Moves the processor time that a process may use in all, in seconds. False when the kernel refuses. */
bool cw_process_set_cpu_limit(int32_t pid, uint64_t seconds);

/* The system's words for an errno. */
const char *cw_error_words(int32_t error);

/* Processor time that this process has used, in milliseconds. */
uint64_t cw_process_cpu_used(void);

#pragma clang assume_nonnull end
#endif
