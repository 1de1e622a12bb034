#include "cp_library.h"

#include <dlfcn.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>

static CPLibrary library;
static pthread_once_t once = PTHREAD_ONCE_INIT;

static bool find(void *handle, const char *name, void *place) {
  void *symbol = dlsym(handle, name);
  /* A pointer to data becomes one to a function (POSIX, dlsym). */
  memcpy(place, &symbol, sizeof symbol);
  return symbol != NULL;
}

static void load(void) {
  void *handle = dlopen("libcurl.so.4", RTLD_NOW | RTLD_LOCAL);
  if (handle == NULL) {
    const char *reason = dlerror();
    snprintf(library.reason, sizeof library.reason, "%s", reason != NULL ? reason : "libcurl.so.4 cannot be loaded");
    return;
  }
  bool is_whole = find(handle, "curl_global_init", &library.global_init) &&
                  find(handle, "curl_version_info", &library.version_info) &&
                  find(handle, "curl_easy_init", &library.easy_init) &&
                  find(handle, "curl_easy_setopt", &library.easy_setopt) &&
                  find(handle, "curl_easy_getinfo", &library.easy_getinfo) &&
                  find(handle, "curl_easy_cleanup", &library.easy_cleanup) &&
                  find(handle, "curl_easy_strerror", &library.easy_strerror) &&
                  find(handle, "curl_slist_append", &library.slist_append) &&
                  find(handle, "curl_slist_free_all", &library.slist_free_all) &&
                  find(handle, "curl_multi_init", &library.multi_init) &&
                  find(handle, "curl_multi_setopt", &library.multi_setopt) &&
                  find(handle, "curl_multi_add_handle", &library.multi_add_handle) &&
                  find(handle, "curl_multi_remove_handle", &library.multi_remove_handle) &&
                  find(handle, "curl_multi_perform", &library.multi_perform) &&
                  find(handle, "curl_multi_poll", &library.multi_poll) &&
                  find(handle, "curl_multi_wakeup", &library.multi_wakeup) &&
                  find(handle, "curl_multi_info_read", &library.multi_info_read) &&
                  find(handle, "curl_multi_cleanup", &library.multi_cleanup) &&
                  find(handle, "curl_url", &library.url) &&
                  find(handle, "curl_url_set", &library.url_set) &&
                  find(handle, "curl_url_get", &library.url_get) &&
                  find(handle, "curl_url_cleanup", &library.url_cleanup) &&
                  find(handle, "curl_free", &library.release);
  /* It stays loaded: libcurl's own threads may still look up a name when a request has been given up. */
  library.is_ready = is_whole && library.global_init(CURL_GLOBAL_DEFAULT) == CURLE_OK;
  if (!library.is_ready) {
    snprintf(library.reason, sizeof library.reason, "libcurl.so.4 is not what it should be");
    return;
  }
  const curl_version_info_data *info = library.version_info(CURLVERSION_FIRST);
  /* CURLOPT_PROTOCOLS_STR came with it; without it every request would be refused, in words that say nothing. */
  if (info->version_num < 0x075500) {
    library.is_ready = false;
    snprintf(library.reason, sizeof library.reason, "libcurl %s is too old; 7.85 or newer is wanted", info->version);
  }
}

const CPLibrary *cp_library(void) {
  pthread_once(&once, load);
  return &library;
}
