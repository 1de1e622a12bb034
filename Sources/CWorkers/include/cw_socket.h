/* Sends and receives bytes and open descriptors over a socket pair. */
#ifndef CW_SOCKET_H
#define CW_SOCKET_H

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
  CWTransferFailed,
} CWTransfer;

/* Sends all bytes, `descriptor` (or -1) with the first of them. Never raises SIGPIPE. */
CWTransfer cw_socket_send(int32_t socket, const uint8_t *bytes, size_t count, int32_t descriptor);

/* Receives exactly `count` bytes, waiting `milliseconds` for each piece (-1: for ever). A descriptor that comes along
   is put into `descriptor`, close-on-exec, else -1; more than one are closed and make the transfer fail. */
CWTransfer cw_socket_receive(
    int32_t socket, uint8_t *bytes, size_t count, int32_t milliseconds, int32_t *descriptor);

/* Closes a descriptor. */
void cw_descriptor_close(int32_t descriptor);

/* Waits until something can be received: done, closed (readable end), or timed out. */
CWTransfer cw_socket_wait(int32_t socket, int32_t milliseconds);

#pragma clang assume_nonnull end
#endif
