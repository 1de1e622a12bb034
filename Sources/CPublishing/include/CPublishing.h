/* Sends HTTP requests with libcurl, which is loaded when the first one is sent. */
#ifndef CPUBLISHING_H
#define CPUBLISHING_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#pragma clang assume_nonnull begin

/* How a request ended. */
typedef enum __attribute__((enum_extensibility(closed))) CPStatus {
  /* The server has answered; whether it is content says `CPAnswer.code`. */
  CPStatusAnswered = 0,
  /* libcurl.so.4 is not there, or is not what it should be. */
  CPStatusNoLibrary,
  /* No answer: no such host, no connection, no trust, out of time. */
  CPStatusFailed,
} CPStatus;

/* What is asked. Everything is borrowed for the call. */
typedef struct CPRequest {
  /* https, or http where that is allowed; nothing else is followed. */
  const char *address;
  /* Sent by POST; NULL for a GET. */
  const uint8_t *_Nullable body;
  size_t body_length;
  const char *agent;
  /* A file with the certificates of authorities that are trusted; NULL for the place that libcurl was built with. */
  const char *_Nullable authorities;
  bool allows_http;
  /* For the connection, and for all of it. */
  int32_t connect_milliseconds;
  int32_t milliseconds;
} CPRequest;

typedef struct CPAnswer {
  /* The HTTP status, 0 without an answer. */
  int32_t code;
  /* Why there is none, in libcurl's words; ends in NUL. */
  char reason[256];
} CPAnswer;

/* Sends one request and waits for its answer, whose body is thrown away. From any thread, several at once. */
CPStatus cp_http_send(const CPRequest *request, CPAnswer *answer);

#pragma clang assume_nonnull end
#endif
