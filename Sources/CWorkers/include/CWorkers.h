/* CWorkers: what a decoder process needs of the kernel that Swift cannot say: spawn, descriptor passing, sandbox. */
#ifndef CW_CWORKERS_H
#define CW_CWORKERS_H
#include "cw_memory.h"
#include "cw_process.h"
#include "cw_sandbox.h"
#include "cw_socket.h"
#endif
