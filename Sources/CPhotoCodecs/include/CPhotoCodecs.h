/* CPhotoCodecs: every setjmp of the product. See the headers beside this one, one a subject. */
#ifndef PC_CPHOTOCODECS_H
#define PC_CPHOTOCODECS_H
#include "pc_common.h"
#include "pc_jpeg_reader.h"
#include "pc_jpeg_writer.h"
#include "pc_orient.h"
#include "pc_png_reader.h"
#include "pc_resizer.h"
#include "pc_source.h"
#endif
