// OpenSSL libcrypto: digests, used by IngestFiles (SHA-256 of photos) and Publishing (signatures).
#pragma once
#include <openssl/evp.h>
