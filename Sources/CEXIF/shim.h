// libexif: the Exif block, used only by PhotoCodecs.
#pragma once
#include <libexif/exif-data.h>
#include <libexif/exif-loader.h>
#include <libexif/exif-utils.h>
