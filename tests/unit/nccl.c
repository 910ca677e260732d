/* NCCL as it is found at run time: what is called of it, with a library in its place (nccl/), and
 * what is said where it is not there, or fails. */
#include "backend/nccl.h"
#include "test.h"

#include <dlfcn.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static char *calls; /* of the library in its place */

static void find_calls(void) {
  void *lib = dlopen(FAKE_NCCL, RTLD_NOW | RTLD_NODELETE);
  CHECK(lib != NULL);
  if (!lib) exit(1);
  void *symbol = dlsym(lib, "fake_nccl_calls");
  CHECK(symbol != NULL);
  calls = symbol;
  dlclose(lib);
}

/* Everything in turn, up to what fails; its reason. */
static bool chosen(void *user) { return *(const bool *)user; }

static bool go_through(char *why, size_t size) {
  static char south[] = "south", north[] = "north", stream[] = "stream";
  const ria_nccl_message both[2] = {{0, true, south, 48}, {2, false, north, 96}};
  char id[RIA_NCCL_ID] = "";
  bool can = true;
  unsigned long long list[3] = {0};
  ria_nccl *n = ria_nccl_load(why, size);
  if (!n) return false;
  const bool well = ria_nccl_make_id(n, id) && ria_nccl_start(n, id, 3, 1, chosen, &can, 5.0) &&
                    ria_nccl_pass(n, both, 2, stream) && ria_nccl_greatest(n, list, 3, stream) &&
                    ria_nccl_sum(n, list, 2, stream) && ria_nccl_is_well(n);
  snprintf(why, size, "%s", well ? "" : ria_nccl_why(n));
  ria_nccl_close(n);
  return well;
}

static void test_calls(void) {
  char why[RIA_NCCL_WHY] = "";
  calls[0] = '\0';
  CHECK(go_through(why, sizeof why));
  CHECK_TEXT(why, "");
  CHECK_TEXT(calls, "ncclGetVersion\nncclGetUniqueId\nncclCommInitRank 1 of 3, i\n"
                    "ncclGroupStart\nncclSend south 48 of 1 to 0 on stream\n"
                    "ncclRecv north 96 of 1 from 2 on stream\nncclGroupEnd\n"
                    "ncclAllReduce 3 of 5 by 2 on stream\nncclAllReduce 2 of 5 by 0 on stream\n"
                    "ncclCommGetAsyncError\n"
                    "ncclCommDestroy\n");
  CHECK_TEXT(getenv("NCCL_NVLS_ENABLE"), "0");
  setenv("NCCL_NVLS_ENABLE", "1", 1); /* the user's */
  ria_nccl_close(ria_nccl_load(why, sizeof why));
  CHECK_TEXT(getenv("NCCL_NVLS_ENABLE"), "1");
}

/* Each function fails in turn: that is told, and a group that was begun is ended. */
static void test_each_failure(void) {
  static const char *const fails[] = {"ncclGetVersion", "ncclGetUniqueId", "ncclCommInitRank",
                                      "ncclGroupStart", "ncclSend",        "ncclRecv",
                                      "ncclGroupEnd",   "ncclAllReduce",   "ncclCommGetAsyncError"};
  for (size_t k = 0; k < sizeof fails / sizeof *fails; k++) {
    char why[RIA_NCCL_WHY] = "", expected[64];
    calls[0] = '\0';
    setenv("FAKE_NCCL_FAILS", fails[k], 1);
    CHECK(!go_through(why, sizeof why));
    snprintf(expected, sizeof expected, "%s: invalid usage", fails[k]);
    CHECK_TEXT(why, expected);
    const bool begun = strstr(calls, "ncclGroupStart") && strcmp(fails[k], "ncclGroupStart") != 0;
    CHECK(!begun || strstr(calls, "ncclGroupEnd"));
    CHECK((strstr(calls, "ncclCommDestroy") != NULL) == (k > 2)); /* what had begun ends */
  }
  unsetenv("FAKE_NCCL_FAILS");
}

static ria_nccl *begin(void) {
  char why[RIA_NCCL_WHY] = "", id[RIA_NCCL_ID] = "";
  static bool can = true;
  ria_nccl *n = ria_nccl_load(why, sizeof why);
  CHECK(n && ria_nccl_start(n, id, 2, 0, chosen, &can, 5.0));
  return n;
}

static void test_async(void) {
  ria_nccl *n = begin();
  setenv("FAKE_NCCL_ASYNC", "7", 1); /* in progress */
  CHECK(ria_nccl_is_well(n));
  setenv("FAKE_NCCL_ASYNC", "6", 1);
  CHECK(!ria_nccl_is_well(n));
  CHECK_TEXT(ria_nccl_why(n), "NCCL: remote error");
  unsetenv("FAKE_NCCL_ASYNC");
  ria_nccl_close(n);
}

/* Nothing goes to a communicator that was given up. */
static void test_abort(void) {
  ria_nccl *n = begin();
  calls[0] = '\0';
  ria_nccl_abort(n);
  ria_nccl_abort(n);
  CHECK(!ria_nccl_pass(n, NULL, 0, NULL) && !ria_nccl_is_well(n));
  CHECK(!ria_nccl_greatest(n, NULL, 0, NULL));
  CHECK_TEXT(ria_nccl_why(n), "it was given up");
  ria_nccl_close(n);
  CHECK_TEXT(calls, "ncclCommAbort\n");
}

/* One that waits for others to end is left behind. */
static void test_abort_waits(void) {
  ria_nccl *n = begin();
  calls[0] = '\0';
  setenv("FAKE_NCCL_ABORT_WAITS", "60000", 1);
  alarm(30);
  CHECK(!ria_nccl_abort(n));
  alarm(0);
  ria_nccl_close(n);
  unsetenv("FAKE_NCCL_ABORT_WAITS");
  CHECK_TEXT(calls, "");
}

/* Others that never come are waited for so long; what starts after all is given up. */
static void test_wait(void) {
  char why[RIA_NCCL_WHY] = "", id[RIA_NCCL_ID] = "";
  bool can = true;
  ria_nccl *n = ria_nccl_load(why, sizeof why);
  calls[0] = '\0';
  setenv("FAKE_NCCL_WAITS", "150", 1);
  CHECK(n && !ria_nccl_start(n, id, 2, 0, chosen, &can, 0.05));
  CHECK_TEXT(ria_nccl_why(n), "ncclCommInitRank: no answer from the others within 0.05 s");
  ria_nccl_close(n);
  for (int k = 0; k < 400 && !strstr(calls, "ncclCommAbort"); k++) usleep(10000);
  CHECK(strstr(calls, "ncclCommAbort") != NULL && !strstr(calls, "ncclCommDestroy"));
  unsetenv("FAKE_NCCL_WAITS");
}

/* A first message of a size waits for the others to connect: not longer than it is told. More of
 * that size go the short way. */
static void test_connect(bool numbers) {
  static char south[] = "south";
  const ria_nccl_message small = {1, true, south, 8}, large = {1, true, south, 16};
  unsigned long long list[2] = {0};
  ria_nccl *n = begin();
  CHECK(numbers ? ria_nccl_sum(n, list, 1, NULL) : ria_nccl_pass(n, &small, 1, NULL));
  ria_nccl_set_patience(n, 0.05);
  setenv("FAKE_NCCL_CONNECTS", "300", 1);
  CHECK(numbers ? ria_nccl_greatest(n, list, 1, NULL) : ria_nccl_pass(n, &small, 1, NULL));
  CHECK(ria_nccl_waited(n) == 0);
  CHECK(!(numbers ? ria_nccl_sum(n, list, 2, NULL) : ria_nccl_pass(n, &large, 1, NULL)));
  CHECK(ria_nccl_waited(n) == 0.05);
  CHECK_TEXT(ria_nccl_why(n), numbers ? "ncclAllReduce: no answer from the others within 0.05 s"
                                      : "messages: no answer from the others within 0.05 s");
  CHECK(!ria_nccl_pass(n, &small, 1, NULL)); /* one thread in NCCL is enough */
  CHECK(ria_nccl_abort(n));                  /* which waits for it */
  CHECK(!ria_nccl_pass(n, &small, 1, NULL));
  CHECK(ria_nccl_waited(n) == 0.05);
  ria_nccl_close(n);
  unsetenv("FAKE_NCCL_CONNECTS");
}

/* What does not come back is told, and left. */
static void test_connect_for_ever(void) {
  static char south[] = "south";
  const ria_nccl_message large = {1, true, south, 16};
  ria_nccl *n = begin();
  ria_nccl_set_patience(n, 0.05);
  setenv("FAKE_NCCL_CONNECTS", "1500", 1);
  CHECK(!ria_nccl_pass(n, &large, 1, NULL));
  CHECK(!ria_nccl_abort(n));
  ria_nccl_close(n);
  unsetenv("FAKE_NCCL_CONNECTS");
  usleep(700000); /* it ends while there is a process */
}

static void test_device(void) {
  char why[RIA_NCCL_WHY] = "", id[RIA_NCCL_ID] = "";
  bool can = false;
  ria_nccl *n = ria_nccl_load(why, sizeof why);
  CHECK(n && !ria_nccl_start(n, id, 2, 0, chosen, &can, 5.0));
  CHECK_TEXT(ria_nccl_why(n), "the device cannot be chosen");
  ria_nccl_close(n);
}

static void loads(const char *named, const char *version, const char *name, const char *expected) {
  char why[RIA_NCCL_WHY] = "";
  setenv("RIA_NCCL", named, 1);
  if (version) setenv("FAKE_NCCL_VERSION", version, 1);
  ria_nccl *n = ria_nccl_load(why, sizeof why);
  CHECK((n != NULL) == (name != NULL));
  if (n && name) CHECK_TEXT(ria_nccl_name(n), name);
  if (!n) CHECK_TEXT(why, expected);
  ria_nccl_close(n);
  unsetenv("FAKE_NCCL_VERSION");
}

static void test_library(void) {
  loads(FAKE_NCCL, NULL, "NCCL 2.28.3", NULL);
  loads(FAKE_NCCL, "2708", "NCCL 2.7.8", NULL);
  loads(FAKE_NCCL, "21805", "NCCL 2.18.5", NULL);
  loads("none", NULL, NULL, "RIA_NCCL is none");
  loads("/nowhere/libnccl.so.2", NULL, NULL, "RIA_NCCL=/nowhere/libnccl.so.2 cannot be loaded");
  loads(FAKE_NCCL_OLD, NULL, NULL, "libnccl has no ncclAllReduce: ria takes NCCL 2.7 or later");
}

int main(void) {
  find_calls();
  setenv("RIA_NCCL", FAKE_NCCL, 1);
  test_calls();
  test_each_failure();
  test_async();
  test_abort();
  test_wait();
  test_connect(false);
  test_connect(true);
  test_connect_for_ever();
  test_device();
  test_abort_waits();
  test_library();
  return TEST_END();
}
