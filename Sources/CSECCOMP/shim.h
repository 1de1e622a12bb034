// libseccomp: the filter of a decoder process, used only by CWorkers.
#pragma once
#include <seccomp.h>
