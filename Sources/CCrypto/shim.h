// OpenSSL libcrypto: SHA-256, used only by IngestFiles.
#pragma once
#include <openssl/evp.h>
