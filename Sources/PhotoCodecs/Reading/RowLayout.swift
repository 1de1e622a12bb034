/// Says how the samples of a decoded row lie: 8 bits each, interleaved; with `cmyk`, 0 is no ink and 255 full ink.
enum RowLayout { case gray, rgb, cmyk }
