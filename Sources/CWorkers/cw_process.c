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
#include <time.h>
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

/* Without this the kernel collects children by itself and `waitpid` finds none. */
static int keep_endings(void) {
  struct sigaction action;
  if (sigaction(SIGCHLD, NULL, &action) != 0) return errno;
  bool is_kept = (action.sa_flags & SA_SIGINFO) != 0 || action.sa_handler != SIG_IGN;
  if (is_kept && (action.sa_flags & SA_NOCLDWAIT) == 0) return 0;
  action.sa_flags &= ~SA_NOCLDWAIT;
  if (!is_kept) action.sa_handler = SIG_DFL;
  return sigaction(SIGCHLD, &action, NULL) == 0 ? 0 : errno;
}

/* Starts the program with `socket` as its own; returns 0 or an errno. */
static int spawn(
    const char *program, char *const *arguments, char *const *environment, int socket, int32_t *pid) {
  posix_spawn_file_actions_t actions;
  int status = posix_spawn_file_actions_init(&actions);
  if (status != 0) return status;
  posix_spawnattr_t attributes;
  status = posix_spawnattr_init(&attributes);
  if (status == 0) {
    status = arrange_descriptors(&actions, socket);
    if (status == 0) status = arrange_signals(&attributes);
    pid_t started = 0;
    if (status == 0) status = posix_spawn(&started, program, &actions, &attributes, arguments, environment);
    if (status == 0) *pid = started;
    posix_spawnattr_destroy(&attributes);
  }
  posix_spawn_file_actions_destroy(&actions);
  return status;
}

int cw_process_start(
    const char *program, const char *argument, const char *value, char *const *environment, int32_t *pid, int32_t *socket) {
  int status = keep_endings();
  if (status != 0) return status;
  int pair[2];
  if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, pair) != 0) return errno;
  /* dup2 onto itself would leave close-on-exec set; a number above keeps the two apart. */
  int child = fcntl(pair[1], F_DUPFD_CLOEXEC, CW_CHILD_SOCKET + 1);
  status = child < 0 ? errno : 0;
  close(pair[1]);
  if (status == 0) {
    char *const arguments[] = {(char *)"photo-ingest", (char *)argument, (char *)value, NULL};
    status = spawn(program, arguments, environment, child, pid);
    close(child);
  }
  if (status != 0) {
    close(pair[0]);
    return status;
  }
  *socket = pair[0];
  return 0;
}

/* Collects a process within `milliseconds`; false when it still lives then. */
static bool collect(int32_t pid, int32_t milliseconds, cw_ending *ending) {
  const struct timespec pause = {0, 1000000};
  for (int32_t waited = 0;; waited++) {
    int status = 0;
    pid_t found = waitpid(pid, &status, WNOHANG);
    if (found == pid) {
      *ending = WIFSIGNALED(status) ? (cw_ending){CWEndingSignalled, WTERMSIG(status)}
                                    : (cw_ending){CWEndingExited, WEXITSTATUS(status)};
      return true;
    }
    if (found < 0 && errno != EINTR) {
      *ending = (cw_ending){CWEndingUnknown, 0};
      return true;
    }
    if (waited >= milliseconds) return false;
    nanosleep(&pause, NULL);
  }
}

cw_ending cw_process_end(int32_t pid, int32_t patience) {
  cw_ending ending;
  if (collect(pid, patience, &ending)) return ending;
  kill(pid, SIGKILL);
  /* A process that waits for a dead disk dies when the disk answers, and nobody waits for that. */
  if (!collect(pid, 5000, &ending)) return (cw_ending){CWEndingUnknown, 0};
  if (ending.kind == CWEndingSignalled && ending.number == SIGKILL) ending.kind = CWEndingKilled;
  return ending;
}

bool cw_process_set_cpu_limit(int32_t pid, uint64_t seconds) {
  struct rlimit limit;
  if (prlimit(pid, RLIMIT_CPU, NULL, &limit) != 0) return false;
  /* Only the soft limit moves: the hard one could never be raised again. */
  limit.rlim_cur = limit.rlim_max == RLIM_INFINITY || seconds < limit.rlim_max ? seconds : limit.rlim_max;
  return prlimit(pid, RLIMIT_CPU, &limit, NULL) == 0;
}

uint64_t cw_process_cpu_used(int32_t pid) {
  clockid_t clock;
  struct timespec used;
  if (clock_getcpuclockid(pid, &clock) != 0 || clock_gettime(clock, &used) != 0) return 0;
  return (uint64_t)used.tv_sec * 1000 + (uint64_t)used.tv_nsec / 1000000;
}

const char *cw_error_words(int32_t error) {
  const char *words = strerrordesc_np(error);
  return words != NULL ? words : "an unknown error";
}
