/* Starts decoder processes with posix_spawn, so that no lock of another thread is ever half held in the child. */
#define _GNU_SOURCE
#include "cw_process.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <stddef.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

static int arrange_descriptors(posix_spawn_file_actions_t *actions, int socket) {
  int status = posix_spawn_file_actions_adddup2(actions, socket, CW_CHILD_SOCKET);
  if (status == 0) status = posix_spawn_file_actions_addopen(actions, 0, "/dev/null", O_RDONLY, 0);
  if (status == 0) status = posix_spawn_file_actions_addopen(actions, 1, "/dev/null", O_WRONLY, 0);
  if (status == 0) status = posix_spawn_file_actions_addopen(actions, 2, "/dev/null", O_WRONLY, 0);
  if (status == 0) status = posix_spawn_file_actions_addclosefrom_np(actions, CW_CHILD_SOCKET + 1);
  return status;
}

static int arrange_signals(posix_spawnattr_t *attributes) {
  sigset_t none, all;
  sigemptyset(&none);
  sigfillset(&all);
  int status = posix_spawnattr_setsigmask(attributes, &none);
  if (status == 0) status = posix_spawnattr_setsigdefault(attributes, &all);
  /* A process group of its own: Ctrl-C at the terminal is the parent's to answer. */
  if (status == 0) status = posix_spawnattr_setpgroup(attributes, 0);
  if (status == 0) {
    status = posix_spawnattr_setflags(
        attributes, POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETPGROUP);
  }
  return status;
}

int cw_process_start(
    const char *program, const char *argument, const char *value, char *const *environment, int32_t *pid, int32_t *socket) {
  int pair[2];
  if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, pair) != 0) return errno;
  /* dup2 onto itself would leave close-on-exec set; a number above keeps the two apart. */
  int child = fcntl(pair[1], F_DUPFD_CLOEXEC, CW_CHILD_SOCKET + 1);
  int status = child < 0 ? errno : 0;
  close(pair[1]);
  posix_spawn_file_actions_t actions;
  posix_spawnattr_t attributes;
  bool has_actions = false, has_attributes = false;
  if (status == 0) status = posix_spawn_file_actions_init(&actions);
  has_actions = status == 0 && child >= 0;
  if (status == 0) status = posix_spawnattr_init(&attributes);
  has_attributes = has_actions && status == 0;
  if (status == 0) status = arrange_descriptors(&actions, child);
  if (status == 0) status = arrange_signals(&attributes);
  if (status == 0) {
    char *const arguments[] = {(char *)"photo-ingest", (char *)argument, (char *)value, NULL};
    pid_t started = 0;
    status = posix_spawn(&started, program, &actions, &attributes, arguments, (char *const *)environment);
    *pid = started;
  }
  if (has_attributes) posix_spawnattr_destroy(&attributes);
  if (has_actions) posix_spawn_file_actions_destroy(&actions);
  if (child >= 0) close(child);
  if (status != 0) {
    close(pair[0]);
    return status;
  }
  *socket = pair[0];
  return 0;
}

cw_ending cw_process_reap(int32_t pid) {
  int status = 0;
  while (waitpid(pid, &status, 0) < 0) {
    if (errno != EINTR) return (cw_ending){false, 0};
  }
  if (WIFSIGNALED(status)) return (cw_ending){true, WTERMSIG(status)};
  return (cw_ending){false, WEXITSTATUS(status)};
}

cw_ending cw_process_end(int32_t pid) {
  kill(pid, SIGKILL);
  return cw_process_reap(pid);
}

bool cw_process_set_cpu_limit(int32_t pid, uint64_t seconds) {
  struct rlimit limit;
  if (prlimit(pid, RLIMIT_CPU, NULL, &limit) != 0) return false;
  limit.rlim_cur = limit.rlim_max == RLIM_INFINITY || seconds < limit.rlim_max ? seconds : limit.rlim_max;
  return prlimit(pid, RLIMIT_CPU, &limit, NULL) == 0;
}

uint64_t cw_process_cpu_used(void) {
  struct rusage usage;
  if (getrusage(RUSAGE_SELF, &usage) != 0) return 0;
  uint64_t seconds = (uint64_t)usage.ru_utime.tv_sec + (uint64_t)usage.ru_stime.tv_sec;
  uint64_t micros = (uint64_t)usage.ru_utime.tv_usec + (uint64_t)usage.ru_stime.tv_usec;
  return seconds * 1000 + micros / 1000;
}

const char *cw_error_words(int32_t error) {
  const char *words = strerrordesc_np(error);
  return words != NULL ? words : "an unknown error";
}
