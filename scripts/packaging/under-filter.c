/* Starts a program under a system call filter like that of a systemd unit: what is not listed fails with EPERM.
   usage: under-filter LIST PROGRAM [ARGUMENT...]     LIST: a file with the name of a call on each line */
#include <errno.h>
#include <seccomp.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <unistd.h>

static int fail(const char *what) {
  fprintf(stderr, "under-filter: %s: %s\n", what, strerror(errno));
  return 126;
}

int main(int count, char **words) {
  if (count < 3) {
    fputs("usage: under-filter LIST PROGRAM [ARGUMENT...]\n", stderr);
    return 2;
  }
  FILE *list = fopen(words[1], "r");
  if (list == NULL) return fail(words[1]);
  scmp_filter_ctx filter = seccomp_init(SCMP_ACT_ERRNO(EPERM));
  if (filter == NULL) return fail("seccomp_init");
  char name[64];
  int known = 0;
  while (fscanf(list, "%63s", name) == 1) {
    int number = seccomp_syscall_resolve_name(name);
    /* Calls of other machines and of newer kernels. */
    if (number == __NR_SCMP_ERROR || number < 0) continue;
    known++;
    /* MemoryDenyWriteExecute: no memory that can be written and run, none that becomes one to run. */
    if (strcmp(name, "mmap") == 0) {
      struct scmp_arg_cmp only_write = SCMP_A2(SCMP_CMP_MASKED_EQ, PROT_EXEC | PROT_WRITE, PROT_WRITE);
      struct scmp_arg_cmp only_run = SCMP_A2(SCMP_CMP_MASKED_EQ, PROT_EXEC | PROT_WRITE, PROT_EXEC);
      struct scmp_arg_cmp neither = SCMP_A2(SCMP_CMP_MASKED_EQ, PROT_EXEC | PROT_WRITE, 0);
      if (seccomp_rule_add(filter, SCMP_ACT_ALLOW, number, 1, only_write) != 0 ||
          seccomp_rule_add(filter, SCMP_ACT_ALLOW, number, 1, only_run) != 0 ||
          seccomp_rule_add(filter, SCMP_ACT_ALLOW, number, 1, neither) != 0) {
        return fail(name);
      }
    } else if (strcmp(name, "mprotect") == 0 || strcmp(name, "pkey_mprotect") == 0) {
      struct scmp_arg_cmp no_run = SCMP_A2(SCMP_CMP_MASKED_EQ, PROT_EXEC, 0);
      if (seccomp_rule_add(filter, SCMP_ACT_ALLOW, number, 1, no_run) != 0) return fail(name);
    } else if (seccomp_rule_add(filter, SCMP_ACT_ALLOW, number, 0) != 0) {
      return fail(name);
    }
  }
  if (ferror(list) || known < 50) {
    fprintf(stderr, "under-filter: %s: %d known calls; that is no list of a unit\n", words[1], known);
    return 126;
  }
  fclose(list);
  if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0) return fail("no new privileges");
  if (seccomp_load(filter) != 0) return fail("seccomp_load");
  seccomp_release(filter);
  execv(words[2], words + 2);
  return fail(words[2]);
}
