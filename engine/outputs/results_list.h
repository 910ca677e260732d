/* outputs/results_list.h - what a run makes in its directory, by name. Private.
 *
 * The list is made twice: from a simulation (what it is about to write) and from the run.json of an
 * earlier run (what that wrote). Only what the second holds is ever removed, and only what neither
 * a link nor somebody's file stands in the way of is written.
 *
 *   frames   frames/<name>/<name>_000000.png and on; those of .pgw, .prj, .png.aux.xml in `world`
 *   stores   <name>, a directory
 *   gauges, budget   <name>, a table
 *   maxima   maxima/<name>.png, and the store maxima.zarr
 *   checkpoints   checkpoints/000001.ria and on, of which the newest stay
 *   page     <name>, index.html, index.js and fields.js
 *   films    <name>, .mp4, .webm, .png or .apng
 *   changes  changes.lua
 *
 * In run.json "files" is what the run makes, each thing listed before the first of it is there, and
 * "earlier", while a directory is being cleared, what it held before. */
#ifndef RIA_OUTPUTS_RESULTS_LIST_H
#define RIA_OUTPUTS_RESULTS_LIST_H
#include "io/json.h"
#include <ria/status.h>

enum { RIA_RESULT_NAME = 96 }; /* bytes of a name with its end */

typedef enum ria_result_kind {
  RIA_RESULT_FRAMES,
  RIA_RESULT_STORE,
  RIA_RESULT_GAUGES,
  RIA_RESULT_BUDGET,
  RIA_RESULT_MAXIMUM,
  RIA_RESULT_CHECKPOINTS,
  RIA_RESULT_PAGE,
  RIA_RESULT_FILM,
  RIA_RESULT_CHANGES,
  RIA_RESULT_KINDS
} ria_result_kind;

typedef struct ria_result {
  ria_result_kind kind;
  char name[RIA_RESULT_NAME];
  int64_t count;  /* that exist: frames, times, rows */
  int64_t end;    /* frames: numbers are below this; count, unless some could not be written */
  int64_t from;   /* frames, checkpoints that are removed: numbers below stay */
  unsigned world; /* frames: the files that place them, a set of endings (io/world_file.h) */
  bool made;      /* it was begun; frames are told by their numbers */
  int64_t *more;  /* frames: [n_more] numbers that may exist as well, in order once sorted */
  size_t n_more, room_more;
} ria_result;

typedef struct ria_results_list {
  ria_result *item;
  size_t n, room;
} ria_results_list;

void ria_results_list_free(ria_results_list *list);
/* RIA_ERR_MEMORY. A name that does not fit or could lead out of the directory: RIA_ERR_INPUT. */
ria_status ria_results_list_add(ria_context *ctx, ria_results_list *list, const ria_result *item);
/* A line of a journal (outputs/results_dir.h): the thing is being made. Others are passed over. */
ria_status ria_results_list_note(ria_context *ctx, ria_results_list *list, const char *line);
/* The line for one: "frame oil 12\n", "store fields.zarr\n". */
void ria_results_note(char *line, size_t room, ria_result_kind kind, const char *name,
                      int64_t number);
/* A file in the directory itself: a table, the page, a film. */
bool ria_result_is_file(ria_result_kind kind);
const ria_result *ria_results_find(const ria_results_list *list, ria_result_kind kind,
                                   const char *name);
void ria_results_list_sort(ria_results_list *list);

/* "key": { "frames": [...], ... } */
void ria_results_list_write(ria_json *j, const char *key, const ria_results_list *list);
/* From the text of a run.json, in which lists of these keys may stand. *ours: it is JSON and ria
 * wrote it; only then is the list filled. */
ria_status ria_results_list_read(ria_context *ctx, const char *text, size_t n,
                                 ria_results_list *list, bool *ours);

/* "000012.ria", in the directory RIA_CHECKPOINTS; the number of such a file; 0: it is none. */
#define RIA_CHECKPOINTS "checkpoints"
enum { RIA_CHECKPOINT_NAME = 32 };
void ria_checkpoint_name(int64_t number, char name[RIA_CHECKPOINT_NAME]);
int64_t ria_checkpoint_number(const char *file);

/* --- in a directory: a descriptor ------------------------------------------------------------- */

/* Names of what is there and in the way of `plan`: things of its names that are not on `old`, or
 * that are something else than ria makes (a link). "" when there are none, else a few of them and
 * how many more. 0, or errno. */
int ria_results_in_the_way(int dir, const ria_results_list *plan, const ria_results_list *old,
                           char *text, size_t room);
/* Remove what is on the list, and temporary files of its names but the one at path `keep` (NULL:
 * none); links and whatever else ria does not make are left. 0, or errno with the name in text. */
int ria_results_remove(int dir, const ria_results_list *list, const char *keep, char *text,
                       size_t room);

#endif
