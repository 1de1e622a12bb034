// The words of libcurl. The library itself is loaded at run time, by the runs that use the network (CPublishing).
#pragma once
#include <curl/curl.h>
