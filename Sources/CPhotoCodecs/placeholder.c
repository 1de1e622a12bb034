#include "CPhotoCodecs.h"
