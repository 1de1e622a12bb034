// libpng 1.6 and the zlib under it: read and written only by CPhotoCodecs.
#pragma once
#include <png.h>
#include <zlib.h>
