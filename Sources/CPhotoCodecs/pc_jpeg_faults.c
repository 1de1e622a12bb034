/* What libjpeg's errors and warnings mean to somebody who has the photo. Its errors jump to the entry point. */
#include <stdlib.h>
#include <string.h>

#include "pc_jpeg_state.h"

#include <jerror.h>

PCStatus pc_jpeg_fail(pc_jpeg_reader *reader, PCStatus status, const char *reason, const char *detail) {
  reader->status = status;
  snprintf(reader->fault.reason, sizeof reader->fault.reason, "%s", reason);
  snprintf(reader->fault.detail, sizeof reader->fault.detail, "%s", detail);
  return status;
}

/* What an error of libjpeg means to somebody who has the photo. */
static PCStatus status_of_error(const pc_jpeg_reader *reader, const char **reason) {
  *reason = "";
  switch (reader->errors.msg_code) {
    case JERR_BAD_PRECISION:
      *reason = "samples of this depth are not decoded";
      return PCStatusUnsupported;
    case JERR_SOF_UNSUPPORTED:
      *reason = "lossless and hierarchical JPEG are not decoded";
      return PCStatusUnsupported;
    case JERR_EMPTY_IMAGE:
      if (reader->cinfo.image_width > 0 && reader->cinfo.image_height == 0) {
        *reason = "the height is given only behind the picture (DNL)";
        return PCStatusUnsupported;
      }
      return PCStatusCorrupt;
    case JERR_ARITH_NOTIMPL:
    case JERR_CCIR601_NOTIMPL:
    case JERR_CONVERSION_NOTIMPL:
    case JERR_FRACT_SAMPLE_NOTIMPL:
    case JERR_NOT_COMPILED:
    case JERR_COMPONENT_COUNT:
      return PCStatusUnsupported;
    case JERR_OUT_OF_MEMORY:
    case JERR_NO_BACKING_STORE:
      *reason = "decoding needs more memory than the limit allows";
      return PCStatusTooLarge;
    case JERR_IMAGE_TOO_BIG:
    case JERR_WIDTH_OVERFLOW:
      return PCStatusTooLarge;
    default:
      return reader->has_hit_end ? PCStatusTruncated : PCStatusCorrupt;
  }
}

static void error_exit(j_common_ptr common) {
  pc_jpeg_reader *reader = (pc_jpeg_reader *)common->client_data;
  if (reader->status == PCStatusOK) {
    char words[JMSG_LENGTH_MAX];
    (*common->err->format_message)(common, words);
    const char *reason;
    PCStatus status = status_of_error(reader, &reason);
    pc_jpeg_fail(reader, status, reason, words);
  }
  longjmp(reader->jump, 1);
}

void pc_jpeg_stop(pc_jpeg_reader *reader, PCStatus status, const char *reason) {
  pc_jpeg_fail(reader, status, reason, "");
  longjmp(reader->jump, 1);
}

static bool is_behind_header(const pc_jpeg_reader *reader) { return reader->cinfo.input_scan_number > 0; }

/* Whether a warning tells that data of the picture is lost (design, rule 2). */
static bool loses_data(const pc_jpeg_reader *reader, int code) {
  switch (code) {
    case JWRN_ADOBE_XFORM:
    case JWRN_JFIF_MAJOR:
    case JWRN_NOT_SEQUENTIAL:
      return false;
    case JWRN_EXTRANEOUS_DATA:
      return is_behind_header(reader);
    case JWRN_JPEG_EOF:
      return false; /* has_hit_end says so, and whether it cost pixels turns out later. */
    default:
      return true;
  }
}

static void emit_message(j_common_ptr common, int level) {
  pc_jpeg_reader *reader = (pc_jpeg_reader *)common->client_data;
  if (level >= 0) return;
  common->err->num_warnings++;
  reader->warnings++;
  int code = common->err->msg_code;
  if (loses_data(reader, code)) {
    if (!reader->has_lost_data) {
      char words[JMSG_LENGTH_MAX];
      (*common->err->format_message)(common, words);
      snprintf(reader->loss, sizeof reader->loss, "%s", words);
    }
    reader->has_lost_data = true;
  } else if (code != JWRN_JPEG_EOF) {
    reader->notes |= PC_NOTE_ODD_HEADER;
  }
}

static void output_message(j_common_ptr common) { (void)common; }

void pc_jpeg_stop_when_cancelled(pc_jpeg_reader *reader) {
  if (pc_source_is_cancelled(reader->source)) pc_jpeg_stop(reader, PCStatusCancelled, "the load was given up");
}

void pc_jpeg_install_faults(pc_jpeg_reader *reader) {
  reader->cinfo.err = jpeg_std_error(&reader->errors);
  reader->errors.error_exit = error_exit;
  reader->errors.emit_message = emit_message;
  reader->errors.output_message = output_message;
  reader->cinfo.client_data = reader;
}
