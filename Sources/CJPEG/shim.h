// libjpeg (libjpeg-turbo, API 6.2): read and written only by CPhotoCodecs.
#pragma once
#include <stddef.h>
#include <stdio.h>
#include <jpeglib.h>
#include <jerror.h>
