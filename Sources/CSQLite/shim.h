// SQLite: the catalogue of a run, used only by Catalogue.
#pragma once
#include <sqlite3.h>
