/* The functions of libcurl, looked up at run time. Private to this room. */
#ifndef CP_LIBRARY_H
#define CP_LIBRARY_H

#include <curl/curl.h>
#include <stdbool.h>

/* Linking the library would add 6 ms to every start, also of runs that never use the network. */
typedef struct CPLibrary {
  CURLcode (*global_init)(long flags);
  curl_version_info_data *(*version_info)(CURLversion age);
  CURL *(*easy_init)(void);
  CURLcode (*easy_setopt)(CURL *handle, CURLoption option, ...);
  CURLcode (*easy_getinfo)(CURL *handle, CURLINFO info, ...);
  void (*easy_cleanup)(CURL *handle);
  const char *(*easy_strerror)(CURLcode code);
  struct curl_slist *(*slist_append)(struct curl_slist *list, const char *line);
  void (*slist_free_all)(struct curl_slist *list);
  CURLM *(*multi_init)(void);
  CURLMcode (*multi_setopt)(CURLM *multi, CURLMoption option, ...);
  CURLMcode (*multi_add_handle)(CURLM *multi, CURL *handle);
  CURLMcode (*multi_remove_handle)(CURLM *multi, CURL *handle);
  CURLMcode (*multi_perform)(CURLM *multi, int *running);
  CURLMcode (*multi_poll)(CURLM *multi, struct curl_waitfd *more, unsigned int count, int milliseconds, int *ready);
  CURLMcode (*multi_wakeup)(CURLM *multi);
  CURLMsg *(*multi_info_read)(CURLM *multi, int *left);
  CURLMcode (*multi_cleanup)(CURLM *multi);
  CURLU *(*url)(void);
  CURLUcode (*url_set)(CURLU *url, CURLUPart part, const char *text, unsigned int flags);
  CURLUcode (*url_get)(const CURLU *url, CURLUPart part, char **text, unsigned int flags);
  void (*url_cleanup)(CURLU *url);
  void (*release)(void *text);
  bool is_ready;
  char reason[256];
} CPLibrary;

/* Loads the library the first time it is asked for. From any thread. */
const CPLibrary *cp_library(void);

#endif
