/* Sends and receives bytes and open descriptors over a socket pair. */
#ifndef CW_SOCKET_H
#define CW_SOCKET_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#pragma clang assume_nonnull begin

/* How a send or receive went. */
typedef enum __attribute__((enum_extensibility(closed))) CWTransfer {
  CWTransferDone = 0,
  /* The other end is gone. */
  CWTransferClosed,
  /* Nothing came in time. */
  CWTransferTimedOut,
  /* The system refused, or more came along than one descriptor. */
  CWTransferFailed,
} CWTransfer;

/* Sends all bytes, `descriptor` (or -1) with the first of them. Never raises SIGPIPE. */
CWTransfer cw_socket_send(int32_t socket, const uint8_t *bytes, size_t count, int32_t descriptor);

/* Receives what there is, at most `capacity` bytes, waiting `milliseconds` for it (-1: for ever). Puts how many came
   into `received`, and a descriptor that came along into `descriptor`, close-on-exec, else -1. More than one are closed
   and make the transfer fail. */
CWTransfer cw_socket_receive(
    int32_t socket, uint8_t *bytes, size_t capacity, int32_t milliseconds, size_t *received, int32_t *descriptor);

/* Closes a descriptor. */
void cw_descriptor_close(int32_t descriptor);

/* What a descriptor leads to; false for none. */
bool cw_descriptor_is_socket(int32_t descriptor);
bool cw_descriptor_is_regular(int32_t descriptor);

#pragma clang assume_nonnull end
#endif
