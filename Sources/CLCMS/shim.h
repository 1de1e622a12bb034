// Little CMS 2: colour profiles, used only by PhotoCodecs.
#pragma once
#include <lcms2.h>
