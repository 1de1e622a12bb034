/* Passes descriptors with SCM_RIGHTS; the CMSG macros are out of Swift's sight. */
#define _GNU_SOURCE
#include "cw_socket.h"

#include <errno.h>
#include <poll.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

static CWTransfer transfer_of(int error) {
  return error == EPIPE || error == ECONNRESET || error == ENOTCONN ? CWTransferClosed : CWTransferFailed;
}

CWTransfer cw_socket_send(int32_t socket, const uint8_t *bytes, size_t count, int32_t descriptor) {
  while (count > 0) {
    struct iovec piece = {(void *)bytes, count};
    struct msghdr message = {.msg_iov = &piece, .msg_iovlen = 1};
    union {
      struct cmsghdr header;
      char bytes[CMSG_SPACE(sizeof(int))];
    } control;
    if (descriptor >= 0) {
      memset(&control, 0, sizeof control);
      message.msg_control = &control;
      message.msg_controllen = sizeof control;
      struct cmsghdr *rights = CMSG_FIRSTHDR(&message);
      rights->cmsg_level = SOL_SOCKET;
      rights->cmsg_type = SCM_RIGHTS;
      rights->cmsg_len = CMSG_LEN(sizeof(int));
      int number = descriptor;
      memcpy(CMSG_DATA(rights), &number, sizeof number);
    }
    ssize_t sent = sendmsg(socket, &message, MSG_NOSIGNAL);
    if (sent < 0) {
      if (errno == EINTR) continue;
      return transfer_of(errno);
    }
    descriptor = -1;
    bytes += sent;
    count -= (size_t)sent;
  }
  return CWTransferDone;
}

static CWTransfer wait_for_bytes(int32_t socket, int32_t milliseconds) {
  if (milliseconds < 0) return CWTransferDone;
  struct pollfd watched = {.fd = socket, .events = POLLIN};
  int ready;
  do ready = poll(&watched, 1, milliseconds);
  while (ready < 0 && errno == EINTR);
  if (ready < 0) return CWTransferFailed;
  return ready == 0 ? CWTransferTimedOut : CWTransferDone;
}

/* Asks the kernel by number: glibc's `fstat` is a call that can also look up names, which a decoder may not. */
static mode_t type_of(int32_t descriptor) {
  struct stat status;
  return syscall(SYS_fstat, descriptor, &status) == 0 ? status.st_mode & S_IFMT : 0;
}

/* Keeps the one descriptor that may come; true when that is all that came. */
static bool take_descriptor(struct msghdr *message, int32_t *descriptor) {
  bool is_fine = (message->msg_flags & MSG_CTRUNC) == 0;
  for (struct cmsghdr *part = CMSG_FIRSTHDR(message); part != NULL; part = CMSG_NXTHDR(message, part)) {
    if (part->cmsg_level != SOL_SOCKET || part->cmsg_type != SCM_RIGHTS) continue;
    size_t count = (part->cmsg_len - CMSG_LEN(0)) / sizeof(int);
    for (size_t index = 0; index < count; index++) {
      int number;
      memcpy(&number, CMSG_DATA(part) + index * sizeof(int), sizeof number);
      if (*descriptor < 0) {
        *descriptor = number;
      } else {
        close(number);
        is_fine = false;
      }
    }
  }
  if (is_fine) return true;
  if (*descriptor >= 0) close(*descriptor);
  *descriptor = -1;
  return false;
}

CWTransfer cw_socket_receive(
    int32_t socket, uint8_t *bytes, size_t capacity, int32_t milliseconds, size_t *received, int32_t *descriptor) {
  *received = 0;
  *descriptor = -1;
  if (capacity == 0) return CWTransferDone;
  CWTransfer waited = wait_for_bytes(socket, milliseconds);
  if (waited != CWTransferDone) return waited;
  struct iovec piece = {bytes, capacity};
  /* Room for one more than may come: what does not fit is closed by the kernel and marked. */
  union {
    struct cmsghdr header;
    char bytes[CMSG_SPACE(2 * sizeof(int))];
  } control;
  struct msghdr message = {
      .msg_iov = &piece, .msg_iovlen = 1, .msg_control = &control, .msg_controllen = sizeof control};
  ssize_t got;
  do got = recvmsg(socket, &message, MSG_CMSG_CLOEXEC);
  while (got < 0 && errno == EINTR);
  if (got < 0) return transfer_of(errno);
  if (!take_descriptor(&message, descriptor)) return CWTransferFailed;
  if (got == 0) return CWTransferClosed;
  *received = (size_t)got;
  return CWTransferDone;
}

void cw_descriptor_close(int32_t descriptor) { close(descriptor); }

bool cw_descriptor_is_socket(int32_t descriptor) { return type_of(descriptor) == S_IFSOCK; }

bool cw_descriptor_is_regular(int32_t descriptor) { return type_of(descriptor) == S_IFREG; }
