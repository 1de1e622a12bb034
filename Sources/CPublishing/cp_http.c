#include "CPublishing.h"

#include <curl/curl.h>
#include <dlfcn.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>

/* The functions of the library. Linking it would add 6 ms to every start, also of runs that never use the network. */
typedef struct Library {
  CURLcode (*global_init)(long flags);
  CURL *(*easy_init)(void);
  CURLcode (*easy_setopt)(CURL *handle, CURLoption option, ...);
  CURLcode (*easy_perform)(CURL *handle);
  CURLcode (*easy_getinfo)(CURL *handle, CURLINFO info, ...);
  void (*easy_cleanup)(CURL *handle);
  const char *(*easy_strerror)(CURLcode code);
  bool is_ready;
  char reason[256];
} Library;

static Library library;
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
                  find(handle, "curl_easy_init", &library.easy_init) &&
                  find(handle, "curl_easy_setopt", &library.easy_setopt) &&
                  find(handle, "curl_easy_perform", &library.easy_perform) &&
                  find(handle, "curl_easy_getinfo", &library.easy_getinfo) &&
                  find(handle, "curl_easy_cleanup", &library.easy_cleanup) &&
                  find(handle, "curl_easy_strerror", &library.easy_strerror);
  /* It stays loaded: libcurl's own threads may still look up a name when a request has been given up. */
  library.is_ready = is_whole && library.global_init(CURL_GLOBAL_DEFAULT) == CURLE_OK;
  if (!library.is_ready) {
    snprintf(library.reason, sizeof library.reason, "libcurl.so.4 is not what it should be");
  }
}

/* Takes the body of an answer and keeps nothing of it. */
static size_t discard(char *bytes, size_t size, size_t count, void *place) {
  (void)bytes;
  (void)place;
  return size * count;
}

static bool prepare(CURL *handle, const CPRequest *request, char *reason) {
  const char *protocols = request->allows_http ? "https,http" : "https";
  CURLcode code = library.easy_setopt(handle, CURLOPT_ERRORBUFFER, reason);
  if (code == CURLE_OK) code = library.easy_setopt(handle, CURLOPT_URL, request->address);
  if (code == CURLE_OK) code = library.easy_setopt(handle, CURLOPT_PROTOCOLS_STR, protocols);
  if (code == CURLE_OK && request->authorities != NULL) {
    code = library.easy_setopt(handle, CURLOPT_CAINFO, request->authorities);
  }
  if (code == CURLE_OK) code = library.easy_setopt(handle, CURLOPT_FOLLOWLOCATION, 0L);
  if (code == CURLE_OK) code = library.easy_setopt(handle, CURLOPT_USERAGENT, request->agent);
  if (code == CURLE_OK) code = library.easy_setopt(handle, CURLOPT_WRITEFUNCTION, discard);
  /* Or a slow name server would be timed by SIGALRM. */
  if (code == CURLE_OK) code = library.easy_setopt(handle, CURLOPT_NOSIGNAL, 1L);
  if (code == CURLE_OK) {
    code = library.easy_setopt(handle, CURLOPT_CONNECTTIMEOUT_MS, (long)request->connect_milliseconds);
  }
  if (code == CURLE_OK) code = library.easy_setopt(handle, CURLOPT_TIMEOUT_MS, (long)request->milliseconds);
  if (code == CURLE_OK && request->body != NULL) {
    code = library.easy_setopt(handle, CURLOPT_POST, 1L);
    if (code == CURLE_OK) {
      code = library.easy_setopt(handle, CURLOPT_POSTFIELDSIZE_LARGE, (curl_off_t)request->body_length);
    }
    if (code == CURLE_OK) code = library.easy_setopt(handle, CURLOPT_POSTFIELDS, (const char *)request->body);
  }
  return code == CURLE_OK;
}

CPStatus cp_http_send(const CPRequest *request, CPAnswer *answer) {
  memset(answer, 0, sizeof *answer);
  pthread_once(&once, load);
  if (!library.is_ready) {
    snprintf(answer->reason, sizeof answer->reason, "%s", library.reason);
    return CPStatusNoLibrary;
  }
  CURL *handle = library.easy_init();
  if (handle == NULL) {
    snprintf(answer->reason, sizeof answer->reason, "out of memory");
    return CPStatusFailed;
  }
  char reason[CURL_ERROR_SIZE] = "";
  CPStatus status = CPStatusFailed;
  if (prepare(handle, request, reason)) {
    CURLcode code = library.easy_perform(handle);
    long answered = 0;
    if (code == CURLE_OK) code = library.easy_getinfo(handle, CURLINFO_RESPONSE_CODE, &answered);
    if (code == CURLE_OK) {
      status = CPStatusAnswered;
      answer->code = (int32_t)answered;
    } else if (reason[0] == '\0') {
      snprintf(reason, sizeof reason, "%s", library.easy_strerror(code));
    }
  } else if (reason[0] == '\0') {
    snprintf(reason, sizeof reason, "libcurl refuses the request");
  }
  library.easy_cleanup(handle);
  snprintf(answer->reason, sizeof answer->reason, "%s", reason);
  return status;
}
