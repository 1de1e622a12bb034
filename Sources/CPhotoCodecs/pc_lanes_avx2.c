/* The resizer's loops for processors with AVX2: sixteen lanes at once, the same sums as in plain C. */
#if defined(__x86_64__)
#include "pc_lanes.h"

#include <immintrin.h>
#include <string.h>

#pragma clang assume_nonnull begin

#define AVX2 __attribute__((target("avx2")))
#define INLINE static inline __attribute__((always_inline)) AVX2

INLINE __m256i load(const int16_t *from) { return _mm256_loadu_si256((const __m256i *)(const void *)from); }

INLINE void store(int16_t *to, __m256i lanes) { _mm256_storeu_si256((__m256i *)(void *)to, lanes); }

/* ---- widen ---- */

/* Four pixels of three samples at once. */
AVX2 static size_t widen_triples(const uint8_t *row, size_t pixels, int16_t *lanes) {
  const __m128i apart = _mm_setr_epi8(0, 1, 2, -1, 3, 4, 5, -1, 6, 7, 8, -1, 9, 10, 11, -1);
  size_t x = 0;
  /* Sixteen bytes are read for twelve. */
  for (; (x + 4) * 3 + 4 <= pixels * 3; x += 4) {
    const __m128i bytes = _mm_shuffle_epi8(_mm_loadu_si128((const __m128i *)(const void *)(row + x * 3)), apart);
    store(lanes + x * 4, _mm256_slli_epi16(_mm256_cvtepu8_epi16(bytes), 7));
  }
  return x;
}

AVX2 static void widen(const uint8_t *row, size_t pixels, size_t components, int16_t *lanes) {
  if (components != 3) {
    /* A lane a sample. */
    for (size_t i = 0; i < pixels * components; i++) lanes[i] = (int16_t)(row[i] * pc_sample_one);
    return;
  }
  for (size_t x = widen_triples(row, pixels, lanes); x < pixels; x++) {
    for (size_t c = 0; c < 3; c++) lanes[x * 4 + c] = (int16_t)(row[x * 3 + c] * pc_sample_one);
  }
}

AVX2 static void add(uint16_t *columns, const uint8_t *row, size_t count) {
  for (size_t i = 0; i < count; i++) columns[i] = (uint16_t)(columns[i] + row[i]);
}

/* ---- down ---- */

/* Cut to what samples can be, and back at their scale. */
INLINE __m256i settled(__m256i sum) {
  const __m256i most = _mm256_set1_epi16(255 * pc_weighed_one);
  return _mm256_slli_epi16(_mm256_max_epi16(_mm256_min_epi16(sum, most), _mm256_setzero_si256()), 1);
}

AVX2 static void down(const pc_lane_row *_Nonnull rows, const int16_t *weights, size_t count, size_t room, int16_t *sums) {
  for (size_t at = 0; at < room; at += pc_lane_block) {
    __m256i a = _mm256_setzero_si256(), b = a, c = a, d = a;
    for (size_t k = 0; k < count; k++) {
      const __m256i weight = _mm256_set1_epi16(weights[k]);
      const int16_t *const row = rows[k] + at;
      a = _mm256_add_epi16(a, _mm256_mulhrs_epi16(load(row), weight));
      b = _mm256_add_epi16(b, _mm256_mulhrs_epi16(load(row + 16), weight));
      c = _mm256_add_epi16(c, _mm256_mulhrs_epi16(load(row + 32), weight));
      d = _mm256_add_epi16(d, _mm256_mulhrs_epi16(load(row + 48), weight));
    }
    store(sums + at, settled(a));
    store(sums + at + 16, settled(b));
    store(sums + at + 32, settled(c));
    store(sums + at + 48, settled(d));
  }
}

/* ---- across ---- */

/* The sums of one pixel in its four lanes; the other lanes hold what was added to them. */
INLINE __m128i pixel_across(const int16_t *lanes, const pc_axis *axis, size_t x) {
  const pc_window here = axis->windows[x];
  const int16_t *const pixels = lanes + here.first * 4;
  const int16_t *const weights = axis->weights + x * axis->stride;
  /* Each of four weights, four times. */
  const __m256i spread = _mm256_setr_epi8(
      0, 1, 0, 1, 0, 1, 0, 1, 2, 3, 2, 3, 2, 3, 2, 3, 4, 5, 4, 5, 4, 5, 4, 5, 6, 7, 6, 7, 6, 7, 6, 7);
  __m256i sum = _mm256_setzero_si256();
  for (size_t k = 0; k < here.count; k += pc_tap_group) {
    long long four;
    memcpy(&four, weights + k, sizeof four);
    const __m256i weight = _mm256_shuffle_epi8(_mm256_set1_epi64x(four), spread);
    sum = _mm256_add_epi16(sum, _mm256_mulhrs_epi16(load(pixels + k * 4), weight));
  }
  const __m128i half = _mm_add_epi16(_mm256_castsi256_si128(sum), _mm256_extracti128_si256(sum, 1));
  return _mm_add_epi16(half, _mm_unpackhi_epi64(half, half));
}

/* Rounded, eight samples out of eight sums. */
INLINE __m128i samples(__m128i first, __m128i second) {
  const __m128i half = _mm_set1_epi16(pc_weighed_one / 2);
  first = _mm_srai_epi16(_mm_add_epi16(first, half), pc_weighed_bits);
  second = _mm_srai_epi16(_mm_add_epi16(second, half), pc_weighed_bits);
  return _mm_packus_epi16(first, second);
}

INLINE void colour_across(const int16_t *lanes, const pc_axis *axis, size_t pixels, size_t components, uint8_t *row) {
  const __m128i dense = components == 3 ? _mm_setr_epi8(0, 1, 2, 4, 5, 6, 8, 9, 10, 12, 13, 14, -1, -1, -1, -1)
                                        : _mm_setr_epi8(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15);
  for (size_t x = 0; x < pixels; x += 4) {
    const size_t count = pixels - x < 4 ? pixels - x : 4;
    __m128i sums[4] = {_mm_setzero_si128(), _mm_setzero_si128(), _mm_setzero_si128(), _mm_setzero_si128()};
    for (size_t i = 0; i < count; i++) sums[i] = pixel_across(lanes, axis, x + i);
    const __m128i made = samples(_mm_unpacklo_epi64(sums[0], sums[1]), _mm_unpacklo_epi64(sums[2], sums[3]));
    const __m128i packed = _mm_shuffle_epi8(made, dense);
    memcpy(row + x * components, &packed, count * components);
  }
}

AVX2 static void gray_across(const int16_t *lanes, const pc_axis *axis, size_t pixels, uint8_t *row) {
  for (size_t x = 0; x < pixels; x++) {
    const pc_window here = axis->windows[x];
    const int16_t *const weights = axis->weights + x * axis->stride;
    __m128i sums = _mm_setzero_si128();
    for (size_t k = 0; k < here.count; k += pc_tap_group) {
      const __m128i four = _mm_loadl_epi64((const __m128i *)(const void *)(lanes + here.first + k));
      const __m128i weight = _mm_loadl_epi64((const __m128i *)(const void *)(weights + k));
      sums = _mm_add_epi16(sums, _mm_mulhrs_epi16(four, weight));
    }
    sums = _mm_add_epi16(sums, _mm_shufflelo_epi16(sums, _MM_SHUFFLE(1, 0, 3, 2)));
    sums = _mm_add_epi16(sums, _mm_shufflelo_epi16(sums, _MM_SHUFFLE(2, 3, 0, 1)));
    row[x] = (uint8_t)_mm_cvtsi128_si32(samples(sums, sums));
  }
}

AVX2 static void across(const int16_t *lanes, const pc_axis *axis, size_t pixels, size_t components, uint8_t *row) {
  switch (components) {
    case 1: gray_across(lanes, axis, pixels, row); break;
    case 3: colour_across(lanes, axis, pixels, 3, row); break;
    default: colour_across(lanes, axis, pixels, components, row); break;
  }
}

const pc_lane_loops pc_lane_loops_avx2 = {widen, add, down, across};

#pragma clang assume_nonnull end
#endif
