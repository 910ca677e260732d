/* outputs/gauges.h - gauges of one period and their rows. Private to outputs/gauges.c,
 * gauge_rows.c. */
#ifndef RIA_OUTPUTS_GAUGES_H
#define RIA_OUTPUTS_GAUGES_H
#include "base/array.h"
#include "outputs/sink.h"
#include "outputs/tables.h"

/* A line through which is told what flows. */
typedef struct ria_section_face {
  int32_t cell[2]; /* the second lies to the east or north */
  int axis;        /* 0: between west and east */
  double weight;   /* its length, m; negative where what goes east or north goes to the left */
} ria_section_face;
typedef struct ria_section {
  ria_section_face *face; /* [n], once each, in the order of cells */
  size_t n;
  int32_t *cell;                             /* [2 n] those of all faces */
  double *value;                             /* scratch: what is sampled there */
  ria_sim_field *field[2 + RIA_MAX_TRACERS]; /* qx, qy, the tracers */
  char unit[1 + RIA_MAX_TRACERS][48];        /* of its columns */
  size_t column; /* the first in a row: the discharge; a column for each tracer follows */
} ria_section;

typedef struct ria_gauge {
  char *name;
  ria_section *section; /* NULL: it is at a point */
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

/* The gauge or section of a name, and its group; NULL = none. */
ria_gauge *ria_gauge_named(const ria_sim *sim, const char *name, ria_gauge_group **group);

/* --- sections.c */
/* The faces of a section, and where its mark stands. */
ria_status ria_section_make(ria_sim *sim, const ria_section_desc *desc, ria_section **out,
                            double *x, double *y);
void ria_section_free(ria_section *s);
/* "discharge", then the tracers. */
const char *ria_section_column(const ria_sim *sim, size_t k);
/* The present values into row[1 + tracers]. */
ria_status ria_section_sample(ria_sim *sim, ria_section *s, double *row);

/* The time first, then each gauge's fields: "<gauge>.<field>". */
ria_status ria_gauge_columns(ria_sim *sim, const ria_gauge_group *g, ria_columns *out);

/* --- gauge_rows.c: the actions of ria_sink that concern rows */

/* The action of a group (user) that the simulation stands at a time of. */
ria_status ria_gauge_fire(ria_sim *sim, const ria_event_info *info, void *user);

void ria_gauges_watch(const ria_sim *sim, const void *self, ria_span *span);
ria_status ria_gauges_look(ria_sim *sim, void *self, double t);
ria_status ria_gauges_pass(ria_sim *sim, void *self, bool landed);

#endif
