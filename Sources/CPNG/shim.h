// libpng 1.6: read and written only by CPhotoCodecs.
#pragma once
#include <png.h>
