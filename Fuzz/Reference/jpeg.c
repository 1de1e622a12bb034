/* The JPEG reference: libjpeg with its own source of bytes, every warning kept, as `djpeg -strict` would stop at. */
#include <setjmp.h>
#include <stdio.h>
#include <stdlib.h>

#include <jpeglib.h>

#include <jerror.h>

#include "reference.h"

typedef struct reading {
  struct jpeg_decompress_struct jpeg;
  struct jpeg_error_mgr errors;
  struct jpeg_source_mgr slices;
  jmp_buf jump;
  verdict verdict;
  FILE *file;
  JOCTET buffer[4096];
  size_t slice;
} reading;

static void complain(j_common_ptr common) {
  reading *self = common->client_data;
  char words[JMSG_LENGTH_MAX];
  char complaint[JMSG_LENGTH_MAX + 40];
  (*common->err->format_message)(common, words);
  for (char *at = words; *at != '\0'; at++) {
    if (*at == '\t' || *at == '\n') *at = ' ';
  }
  snprintf(
      complaint, sizeof complaint, "%d@%s %s", common->err->msg_code,
      self->jpeg.input_scan_number > 0 ? "scan" : "header", words);
  verdict_add(&self->verdict, complaint);
}

static void on_error(j_common_ptr common) {
  complain(common);
  longjmp(((reading *)common->client_data)->jump, 1);
}

static void on_message(j_common_ptr common, int level) {
  if (level < 0) complain(common);
}

static void on_output(j_common_ptr common) { (void)common; }

static void begin_slices(j_decompress_ptr jpeg) { (void)jpeg; }

/* libjpeg's own stdio source, but for the size of a piece. */
static boolean fill_slice(j_decompress_ptr jpeg) {
  reading *self = jpeg->client_data;
  size_t count = fread(self->buffer, 1, self->slice, self->file);
  if (count == 0) {
    WARNMS(jpeg, JWRN_JPEG_EOF);
    self->buffer[0] = 0xFF;
    self->buffer[1] = JPEG_EOI;
    count = 2;
  }
  self->slices.next_input_byte = self->buffer;
  self->slices.bytes_in_buffer = count;
  return TRUE;
}

static void skip_slices(j_decompress_ptr jpeg, long count) {
  reading *self = jpeg->client_data;
  if (count <= 0) return;
  while ((size_t)count > self->slices.bytes_in_buffer) {
    count -= (long)self->slices.bytes_in_buffer;
    (void)fill_slice(jpeg);
  }
  self->slices.next_input_byte += count;
  self->slices.bytes_in_buffer -= (size_t)count;
}

static void use_slices(reading *self) {
  self->slices.init_source = begin_slices;
  self->slices.fill_input_buffer = fill_slice;
  self->slices.skip_input_data = skip_slices;
  self->slices.resync_to_restart = jpeg_resync_to_restart;
  self->slices.term_source = begin_slices;
  self->jpeg.src = &self->slices;
}

/* A picture in several scans has them all once its rows are out; libjpeg keeps count of the bits of each coefficient. */
static void look_for_missing_bits(reading *self) {
  const struct jpeg_decompress_struct *jpeg = &self->jpeg;
  if (!jpeg->progressive_mode || jpeg->coef_bits == NULL) return;
  for (int component = 0; component < jpeg->num_components; component++) {
    for (int index = 0; index < DCTSIZE2; index++) {
      int missing = jpeg->coef_bits[component][index];
      if (missing > 0 || (missing < 0 && index == 0)) verdict_add(&self->verdict, "unfinished");
      if (missing < 0 && index > 0) verdict_add(&self->verdict, "unsent");
    }
  }
}

static int read_picture(reading *self) {
  struct jpeg_decompress_struct *jpeg = &self->jpeg;
  JSAMPARRAY volatile rows = NULL;
  if (setjmp(self->jump) != 0) return 1;
  jpeg_create_decompress(jpeg);
  jpeg->client_data = self;
  if (self->slice > 0) {
    use_slices(self);
  } else {
    jpeg_stdio_src(jpeg, self->file);
  }
  (void)jpeg_read_header(jpeg, TRUE);
  (void)jpeg_start_decompress(jpeg);
  rows = (*jpeg->mem->alloc_sarray)(
      (j_common_ptr)jpeg, JPOOL_IMAGE, jpeg->output_width * (JDIMENSION)jpeg->output_components, 1);
  while (jpeg->output_scanline < jpeg->output_height) (void)jpeg_read_scanlines(jpeg, rows, 1);
  look_for_missing_bits(self);
  (void)jpeg_finish_decompress(jpeg);
  return 0;
}

void judge_jpeg(const char *path, size_t slice) {
  reading *self = calloc(1, sizeof *self);
  if (self == NULL) exit(3);
  verdict_begin(&self->verdict);
  self->slice = slice;
  self->file = fopen(path, "rb");
  int has_failed = 1;
  if (self->file != NULL) {
    self->jpeg.err = jpeg_std_error(&self->errors);
    self->errors.error_exit = on_error;
    self->errors.emit_message = on_message;
    self->errors.output_message = on_output;
    self->jpeg.client_data = self;
    has_failed = read_picture(self);
    jpeg_destroy_decompress(&self->jpeg);
    fclose(self->file);
  } else {
    verdict_add(&self->verdict, "cannot be opened");
  }
  verdict_print(&self->verdict, has_failed);
  free(self);
}
