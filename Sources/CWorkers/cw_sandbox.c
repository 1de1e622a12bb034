/* The sandbox: resource limits and a filter that lets through memory, the socket and the open photo, nothing else. */
#define _GNU_SOURCE
#include "cw_sandbox.h"

#include <errno.h>
#include <fcntl.h>
#include <netinet/in.h>
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

bool cw_sandbox_die_with_parent(void) { return prctl(PR_SET_PDEATHSIG, SIGKILL) == 0; }

static bool set_limit(int what, uint64_t value) {
  struct rlimit limit;
  if (getrlimit((__rlimit_resource_t)what, &limit) != 0) return false;
  if (limit.rlim_max == RLIM_INFINITY || value < limit.rlim_max) limit.rlim_max = value;
  limit.rlim_cur = limit.rlim_max;
  return setrlimit((__rlimit_resource_t)what, &limit) == 0;
}

static bool filter_system_calls(void) {
  static const int allowed[] = {
      SCMP_SYS(read),          SCMP_SYS(readv),       SCMP_SYS(pread64),      SCMP_SYS(write),
      SCMP_SYS(recvmsg),       SCMP_SYS(sendmsg),     SCMP_SYS(recvfrom),     SCMP_SYS(sendto),
      SCMP_SYS(poll),          SCMP_SYS(ppoll),       SCMP_SYS(close),        SCMP_SYS(fadvise64),
      SCMP_SYS(brk),           SCMP_SYS(munmap),      SCMP_SYS(mremap),       SCMP_SYS(madvise),
      SCMP_SYS(futex),         SCMP_SYS(sched_yield), SCMP_SYS(getrandom),    SCMP_SYS(rt_sigreturn),
      SCMP_SYS(rt_sigaction),  SCMP_SYS(rt_sigprocmask), SCMP_SYS(sigaltstack), SCMP_SYS(clock_gettime),
      SCMP_SYS(gettimeofday),  SCMP_SYS(getrusage),   SCMP_SYS(getpid),       SCMP_SYS(gettid),
      SCMP_SYS(restart_syscall), SCMP_SYS(exit),      SCMP_SYS(exit_group),   SCMP_SYS(lseek),
  };
  scmp_filter_ctx filter = seccomp_init(SCMP_ACT_ERRNO(EPERM));
  if (filter == NULL) return false;
  bool fits = true;
  for (size_t index = 0; index < sizeof allowed / sizeof allowed[0]; index++) {
    fits = fits && seccomp_rule_add(filter, SCMP_ACT_ALLOW, allowed[index], 0) == 0;
  }
  /* Memory, but never memory that can be run; and a trap or an abort signals this process itself, so that the parent
     sees how it died. */
  const struct scmp_arg_cmp not_executable = {2, SCMP_CMP_MASKED_EQ, PROT_EXEC, 0};
  const struct scmp_arg_cmp itself = {0, SCMP_CMP_EQ, (scmp_datum_t)getpid(), 0};
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

int32_t cw_sandbox_try(int32_t what) {
  errno = 0;
  long result = -1;
  switch (what) {
    case 0: result = open("/etc/passwd", O_RDONLY); break;
    case 1: result = socket(AF_INET, SOCK_STREAM, 0); break;
    case 2: {
      char *const arguments[] = {(char *)"true", NULL};
      result = execv("/bin/true", arguments);
      break;
    }
    case 3: result = fork(); if (result == 0) _exit(0); break;
    case 4: result = kill(getppid(), 0); break;
    case 5: {
      struct sockaddr_un address = {.sun_family = AF_UNIX};
      strcpy(address.sun_path, "/run/nothing");
      result = connect(3, (struct sockaddr *)&address, sizeof address);
      break;
    }
    case 6: result = unlink("/nonexistent/photo-ingest"); break;
    default: result = ptrace(PTRACE_TRACEME, 0, NULL, NULL); break;
  }
  return result >= 0 ? 0 : errno;
}
