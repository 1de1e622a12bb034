#include "CPublishing.h"
#include "cp_library.h"

#include <stdio.h>
#include <string.h>
#include <strings.h>

/* Whether one part of both addresses is the same, the port with the scheme's own where none is given. */
static bool is_same(const CURLU *one, const CURLU *other, CURLUPart part) {
  const CPLibrary *library = cp_library();
  char *first = NULL, *second = NULL;
  bool is_same = library->url_get(one, part, &first, CURLU_DEFAULT_PORT) == CURLUE_OK &&
                 library->url_get(other, part, &second, CURLU_DEFAULT_PORT) == CURLUE_OK &&
                 strcasecmp(first, second) == 0;
  library->release(first);
  library->release(second);
  return is_same;
}

CPAddressing cp_address_join(const char *base, const char *reference, char *place, size_t capacity) {
  const CPLibrary *library = cp_library();
  if (!library->is_ready) return CPAddressingInvalid;
  CURLU *from = library->url(), *to = library->url();
  CPAddressing addressing = CPAddressingInvalid;
  char *text = NULL;
  if (from != NULL && to != NULL && library->url_set(from, CURLUPART_URL, base, CURLU_PATH_AS_IS) == CURLUE_OK &&
      library->url_set(to, CURLUPART_URL, base, CURLU_PATH_AS_IS) == CURLUE_OK &&
      library->url_set(to, CURLUPART_USER, NULL, 0) == CURLUE_OK &&
      library->url_set(to, CURLUPART_PASSWORD, NULL, 0) == CURLUE_OK &&
      library->url_set(to, CURLUPART_URL, reference, CURLU_PATH_AS_IS | CURLU_DISALLOW_USER) == CURLUE_OK &&
      library->url_set(to, CURLUPART_FRAGMENT, NULL, 0) == CURLUE_OK &&
      library->url_get(to, CURLUPART_URL, &text, 0) == CURLUE_OK && strlen(text) < capacity) {
    snprintf(place, capacity, "%s", text);
    bool is_home = is_same(from, to, CURLUPART_SCHEME) && is_same(from, to, CURLUPART_HOST) &&
                   is_same(from, to, CURLUPART_PORT);
    addressing = is_home ? CPAddressingSameOrigin : CPAddressingOtherOrigin;
  }
  library->release(text);
  library->url_cleanup(from);
  library->url_cleanup(to);
  return addressing;
}
