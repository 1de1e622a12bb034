/* Exchange of names and shared blocks: calls of Linux that the C library hides behind _GNU_SOURCE or has no name for. */
#define _GNU_SOURCE
#include "CIngestFiles.h"

#include <errno.h>
#include <linux/fs.h>
#include <stdio.h>
#include <sys/ioctl.h>

int32_t cf_exchange(int32_t folder, const char *name, int32_t other_folder, const char *other_name) {
  return renameat2(folder, name, other_folder, other_name, RENAME_EXCHANGE) == 0 ? 0 : errno;
}

int32_t cf_rename_new(int32_t folder, const char *name, int32_t new_folder, const char *new_name) {
  return renameat2(folder, name, new_folder, new_name, RENAME_NOREPLACE) == 0 ? 0 : errno;
}

int32_t cf_share_blocks(int32_t target, int32_t source) {
  return ioctl(target, FICLONE, source) == 0 ? 0 : errno;
}
