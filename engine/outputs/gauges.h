/* outputs/gauges.h - gauges of one period and their rows. Private to outputs/gauges.c,
 * gauge_rows.c. */
#ifndef RIA_OUTPUTS_GAUGES_H
#define RIA_OUTPUTS_GAUGES_H
#include "base/array.h"
#include "outputs/sink.h"
#include "outputs/tables.h"

typedef struct ria_gauge {
  char *name;
  double x, y;
  int32_t cell;
  ria_handle handle;
  bool cancelled;
} ria_gauge;

/* All samples of one field. */
typedef struct ria_gauge_field {
  const ria_sim_field *field;
  size_t n, room;
  int32_t *cell;  /* [n] */
  size_t *gauge;  /* [n] index into the group's gauges */
  size_t *column; /* [n] of the row; a gauge's columns lie together */
  double *value;  /* [n] scratch */
} ria_gauge_field;

/* A row of some state. */
typedef struct ria_gauge_sample {
  ria_doubles row; /* [columns], the state's time first; empty: none was taken */
  int64_t steps;   /* of the state, with its edits: which it is */
  uint64_t edits;
} ria_gauge_sample;

typedef struct ria_gauge_group ria_gauge_group; /* the gauges of one file */
struct ria_gauge_group {
  ria_gauge_group *next;
  double period;
  bool exact; /* steps land on its times */
  char *file; /* "gauges.csv" */
  ria_csv *csv;
  bool begun; /* columns are fixed */
  ria_handle event;
  ria_gauge *gauges;
  size_t n, room;
  ria_gauge_field *fields;
  size_t n_fields;
  size_t columns; /* of a row, the time among them */
  int64_t rows;
  ria_doubles row;                /* [columns], the one being made */
  ria_gauge_sample before, after; /* the states beside a time that a step passes over; swapped */
  bool waits;          /* `before` is of the present state, for a time in the next step */
  ria_doubles history; /* [rows][columns] */
  bool forgets;        /* the history has outgrown history_max */
  ria_doubles t, v;    /* gathered for the last ria_sim_gauge_history */
};

/* All of a simulation: the state of ria_gauges_sink. */
typedef struct ria_gauges {
  ria_gauge_group *groups; /* in the order of asking */
  int n_groups;
  size_t n;
  struct ria_gauge_slot *names; /* [slots] hash table */
  size_t slots;
} ria_gauges;

/* The time first, then each gauge's fields: "<gauge>.<field>". */
ria_status ria_gauge_columns(ria_sim *sim, const ria_gauge_group *g, ria_columns *out);

/* --- gauge_rows.c: the actions of ria_sink that concern rows */

/* The action of a group (user) that the simulation stands at a time of. */
ria_status ria_gauge_fire(ria_sim *sim, const ria_event_info *info, void *user);

void ria_gauges_watch(const ria_sim *sim, const void *self, ria_span *span);
ria_status ria_gauges_look(ria_sim *sim, void *self, double t);
ria_status ria_gauges_pass(ria_sim *sim, void *self, bool landed);

#endif
