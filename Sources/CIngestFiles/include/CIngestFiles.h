/* CIngestFiles: what the disk room needs of the kernel and Swift does not see. */
#ifndef CF_CINGESTFILES_H
#define CF_CINGESTFILES_H

#include <stdint.h>

#pragma clang assume_nonnull begin

/* Gives each of two names what the other one had, in one step (renameat2, RENAME_EXCHANGE). Returns 0 or an errno:
   EINVAL or ENOSYS where the file system or the kernel has no such call. */
int32_t cf_exchange(int32_t folder, const char *name, int32_t other_folder, const char *other_name);

/* Gives a name to what another name has, unless something has it already (renameat2, RENAME_NOREPLACE). Returns 0 or an
   errno, as above; EEXIST when the name is taken. */
int32_t cf_rename_new(int32_t folder, const char *name, int32_t new_folder, const char *new_name);

/* Lets a file share all blocks of another one (FICLONE): a copy that costs no room. Returns 0 or an errno: EOPNOTSUPP,
   EXDEV, EINVAL or ENOTTY where that is not possible. */
int32_t cf_share_blocks(int32_t target, int32_t source);

#pragma clang assume_nonnull end
#endif
