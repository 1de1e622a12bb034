/* Judges pictures as the reference programs do, and shares no line with the product. */
#ifndef REFERENCE_H
#define REFERENCE_H

#include <stddef.h>

/* What was said of one picture: "ok", "error", or "warning" when data was complained of and the picture came all the
   same; then every complaint once, behind tabs. */
typedef struct verdict {
  char words[2048];
} verdict;

void verdict_begin(verdict *verdict);
/* Adds a complaint unless it is there. */
void verdict_add(verdict *verdict, const char *complaint);
/* Prints one line. */
void verdict_print(const verdict *verdict, int has_failed);

/* Reads a JPEG as `djpeg` of libjpeg-turbo does. `slice` is how many bytes libjpeg gets at once, 0 for djpeg's own way.
   Complaints carry libjpeg's number and where they came up, as "JWRN_120@scan"; a progressive picture that lacks bits of
   its coefficients is called "unfinished" beside them, which djpeg says nothing of. */
void judge_jpeg(const char *path, size_t slice);

/* Reads a PNG as `pngtopnm` does, with libpng's own defaults. */
void judge_png(const char *path);

#endif
