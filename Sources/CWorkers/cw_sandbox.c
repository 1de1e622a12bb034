/* The sandbox: resource limits and a filter that lets through memory, the socket and the open photo, nothing else. */
#define _GNU_SOURCE
#include "cw_sandbox.h"
#include "cw_process.h"

#include <errno.h>
#include <fcntl.h>
#include <seccomp.h>
#include <signal.h>
#include <stddef.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/ptrace.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#if defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer) || __has_feature(memory_sanitizer)
#define IS_SANITIZED 1
#endif
#endif
#ifndef IS_SANITIZED
#define IS_SANITIZED 0
#endif

bool cw_sandbox_is_sanitized(void) { return IS_SANITIZED; }

/* Kept for an attempt on it: a sandboxed process may not ask. */
static pid_t parent;

bool cw_sandbox_die_with_parent(void) {
  parent = getppid();
  /* A parent that died before this is told by its end of the socket. */
  return prctl(PR_SET_PDEATHSIG, SIGKILL) == 0;
}

static bool set_limit(int what, uint64_t value) {
  struct rlimit limit;
  if (getrlimit((__rlimit_resource_t)what, &limit) != 0) return false;
  if (limit.rlim_max == RLIM_INFINITY || value < limit.rlim_max) limit.rlim_max = value;
  limit.rlim_cur = limit.rlim_max;
  return setrlimit((__rlimit_resource_t)what, &limit) == 0;
}

static bool filter_system_calls(void) {
  static const int allowed[] = {
      /* The open photo. */
      SCMP_SYS(read), SCMP_SYS(fstat), SCMP_SYS(fadvise64), SCMP_SYS(close),
      /* Memory; what of it may be run is below. */
      SCMP_SYS(brk), SCMP_SYS(munmap), SCMP_SYS(mremap), SCMP_SYS(madvise),
      /* What the runtimes of Swift and C live on. */
      SCMP_SYS(futex), SCMP_SYS(sched_yield), SCMP_SYS(getrandom), SCMP_SYS(clock_gettime), SCMP_SYS(getpid),
      SCMP_SYS(gettid), SCMP_SYS(rt_sigprocmask), SCMP_SYS(rt_sigreturn), SCMP_SYS(restart_syscall),
      SCMP_SYS(exit), SCMP_SYS(exit_group),
  };
  scmp_filter_ctx filter = seccomp_init(SCMP_ACT_ERRNO(EPERM));
  if (filter == NULL) return false;
  /* Every thread, should a library have made one by now. */
  bool fits = seccomp_attr_set(filter, SCMP_FLTATR_CTL_TSYNC, 1) == 0;
  for (size_t index = 0; index < sizeof allowed / sizeof allowed[0]; index++) {
    fits = fits && seccomp_rule_add(filter, SCMP_ACT_ALLOW, allowed[index], 0) == 0;
  }
  /* Messages go over the socket alone, last words to the null device; memory never becomes memory that can be run;
     and a trap or an abort signals this process itself, so that the parent sees how it died. */
  const struct scmp_arg_cmp socket = {0, SCMP_CMP_EQ, CW_CHILD_SOCKET, 0};
  const struct scmp_arg_cmp standard = {0, SCMP_CMP_LE, STDERR_FILENO, 0};
  const struct scmp_arg_cmp not_executable = {2, SCMP_CMP_MASKED_EQ, PROT_EXEC, 0};
  const struct scmp_arg_cmp itself = {0, SCMP_CMP_EQ, (scmp_datum_t)getpid(), 0};
  fits = fits && seccomp_rule_add_array(filter, SCMP_ACT_ALLOW, SCMP_SYS(recvmsg), 1, &socket) == 0;
  fits = fits && seccomp_rule_add_array(filter, SCMP_ACT_ALLOW, SCMP_SYS(sendmsg), 1, &socket) == 0;
  fits = fits && seccomp_rule_add_array(filter, SCMP_ACT_ALLOW, SCMP_SYS(write), 1, &standard) == 0;
  fits = fits && seccomp_rule_add_array(filter, SCMP_ACT_ALLOW, SCMP_SYS(mmap), 1, &not_executable) == 0;
  fits = fits && seccomp_rule_add_array(filter, SCMP_ACT_ALLOW, SCMP_SYS(mprotect), 1, &not_executable) == 0;
  fits = fits && seccomp_rule_add_array(filter, SCMP_ACT_ALLOW, SCMP_SYS(tgkill), 1, &itself) == 0;
  fits = fits && seccomp_load(filter) == 0;
  seccomp_release(filter);
  return fits;
}

uint32_t cw_sandbox_enter(uint64_t memory) {
  uint32_t refused = 0;
  if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0) refused |= CW_MEASURE_NO_NEW_PRIVILEGES;
  if (!set_limit(RLIMIT_CORE, 0)) refused |= CW_MEASURE_NO_CORE;
  if (IS_SANITIZED) return refused;
  if (!set_limit(RLIMIT_DATA, memory)) refused |= CW_MEASURE_MEMORY_LIMIT;
  /* The three standard ones, the socket, one photo and one that comes before the last is closed. */
  if (!set_limit(RLIMIT_NOFILE, 8) || !set_limit(RLIMIT_FSIZE, 0)) refused |= CW_MEASURE_FILE_LIMITS;
  if (!filter_system_calls()) refused |= CW_MEASURE_SYSTEM_CALLS;
  return refused;
}

static long connect_elsewhere(void) {
  struct sockaddr_un address = {.sun_family = AF_UNIX, .sun_path = "/run/nothing"};
  return connect(CW_CHILD_SOCKET, (struct sockaddr *)&address, sizeof address);
}

static long run_another_program(void) {
  char *const arguments[] = {(char *)"true", NULL};
  return execv("/bin/true", arguments);
}

static long run_memory(void) {
  void *memory = mmap(NULL, 4096, PROT_READ | PROT_WRITE | PROT_EXEC, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  return memory == MAP_FAILED ? -1 : 0;
}

static long raise_limit(void) {
  const struct rlimit limit = {RLIM_INFINITY, RLIM_INFINITY};
  return setrlimit(RLIMIT_CPU, &limit);
}

static long fork_and_end(void) {
  pid_t child = fork();
  if (child == 0) _exit(0);
  return child;
}

int32_t cw_sandbox_try(CWAttempt what) {
  errno = 0;
  long result = -1;
  switch (what) {
    case CWAttemptOpen: result = open("/etc/passwd", O_RDONLY | O_CLOEXEC); break;
    case CWAttemptSocket: result = socket(AF_INET, SOCK_STREAM, 0); break;
    case CWAttemptExec: result = run_another_program(); break;
    case CWAttemptFork: result = fork_and_end(); break;
    case CWAttemptSignalParent: result = kill(parent, 0); break;
    case CWAttemptConnect: result = connect_elsewhere(); break;
    case CWAttemptUnlink: result = unlink("/nonexistent/photo-ingest"); break;
    case CWAttemptTrace: result = ptrace(PTRACE_TRACEME, 0, NULL, NULL); break;
    case CWAttemptRunMemory: result = run_memory(); break;
    case CWAttemptRaiseLimit: result = raise_limit(); break;
  }
  return result >= 0 ? 0 : errno;
}
