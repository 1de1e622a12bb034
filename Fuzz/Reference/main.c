/* Reads lines of KIND, a tab and PATH, and answers each with one line; KIND is jpeg, jpeg-sliced or png. */
#include <stdio.h>
#include <string.h>

#include "reference.h"

void verdict_begin(verdict *verdict) { verdict->words[0] = '\0'; }

void verdict_add(verdict *verdict, const char *complaint) {
  size_t used = strlen(verdict->words);
  if (strstr(verdict->words, complaint) != NULL) return;
  snprintf(verdict->words + used, sizeof verdict->words - used, "\t%s", complaint);
}

void verdict_print(const verdict *verdict, int has_failed) {
  printf("%s%s\n", has_failed ? "error" : verdict->words[0] != '\0' ? "warning" : "ok", verdict->words);
}

int main(void) {
  char line[4200];
  while (fgets(line, sizeof line, stdin) != NULL) {
    line[strcspn(line, "\n")] = '\0';
    char *path = strchr(line, '\t');
    if (path == NULL) return 2;
    *path++ = '\0';
    if (strcmp(line, "png") == 0) {
      judge_png(path);
    } else {
      judge_jpeg(path, strcmp(line, "jpeg-sliced") == 0 ? 511 : 0);
    }
    fflush(stdout);
  }
  return 0;
}
