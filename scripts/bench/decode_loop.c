/* The limit: reads every code of JPEG files with libjpeg and throws the rows away.
   usage: decode_loop DENOMINATOR FILE...    prints how many rows came, so that nobody measures nothing */
#include <stdio.h>
#include <stdlib.h>

#include <jpeglib.h>

int main(int count, char **words) {
  struct jpeg_decompress_struct decoder;
  struct jpeg_error_mgr errors;
  unsigned long rows = 0;
  decoder.err = jpeg_std_error(&errors);
  jpeg_create_decompress(&decoder);
  for (int index = 2; index < count; index++) {
    FILE *file = fopen(words[index], "rb");
    if (file == NULL) return perror(words[index]), 1;
    jpeg_stdio_src(&decoder, file);
    jpeg_read_header(&decoder, TRUE);
    decoder.scale_num = 1;
    decoder.scale_denom = (unsigned)atoi(words[1]);
    jpeg_start_decompress(&decoder);
    JSAMPARRAY row = (*decoder.mem->alloc_sarray)(
        (j_common_ptr)&decoder, JPOOL_IMAGE, decoder.output_width * (JDIMENSION)decoder.output_components, 1);
    while (decoder.output_scanline < decoder.output_height) rows += jpeg_read_scanlines(&decoder, row, 1);
    jpeg_finish_decompress(&decoder);
    fclose(file);
  }
  jpeg_destroy_decompress(&decoder);
  printf("%lu\n", rows);
  return errors.num_warnings > 0;
}
