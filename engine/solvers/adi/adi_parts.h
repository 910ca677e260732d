/* adi_parts.h - what an adi has that steps a part of the grid. Private. */
#ifndef ADI_PARTS_H
#define ADI_PARTS_H
#include "adi.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Why a part waits for the others: what it goes on with when it hears them. */
enum adi_waits {
  ADI_GOES_ON,
  ADI_FORCED,    /* what crossed before the forcing changed */
  ADI_PREPARED,  /* the state that was set */
  ADI_JOINED,    /* before: what lies across the seam between the north and the south */
  ADI_RESTORED,  /* ghost rows of a state */
  ADI_SEEN_RIM,  /* before a look: the cells of discharges */
  ADI_SEEN,      /* what all see */
  ADI_TOO_HIGH,  /* a level above the ceiling: all that is stored and came in */
  ADI_STEP_RIM,  /* before a step: the cells of discharges */
  ADI_SWEPT_X,   /* the x-sweep is done */
  ADI_NORTH,     /* a y-sweep's columns are eliminated, from the south on */
  ADI_SOUTH,     /* and substituted back, from the north on */
  ADI_SEAM,      /* and told what crosses the seam, where they close upon themselves */
  ADI_SWEPT_Y,   /* the y-sweep is done */
  ADI_MIX,       /* explicit diffusion: loads beside */
  ADI_MIX_NORTH, /* implicit diffusion along y, as a y-sweep */
  ADI_MIX_SOUTH,
  ADI_MIX_SEAM
};

/* Numbers a column that a relay passes on at most; that a cell of a discharge tells. */
enum { ADI_RELAYED = 8, ADI_RIM = 3 };
enum { ADI_SET_DEEPEST, ADI_SET_HEAD }; /* most[] of a state that was set */

/* The loops of a part's step, for one precision (adi_part_step.h). All rows of the part. */
typedef struct adi_part_loops {
  size_t stepping;                  /* bytes of what they know of the step under way */
  void (*sweep_x)(adi *s);          /* from the state before the step, adi_part.now */
  void (*begin_y)(adi *s);          /* of the x-sweep's */
  void (*second_y)(adi *s);         /* the first solution is there */
  void (*finish_y)(adi *s);         /* the last one is */
  void (*carry)(adi *s, int level); /* tracers, from the state with that level */
  void (*mix)(adi *s, double dt);   /* explicitly */
  void (*mix_x)(adi *s);            /* implicitly along x */
  void (*follow)(adi *s);           /* decay, maxima */
  adi_seen (*look)(adi *s);         /* a look at the present state */
  int (*relayed)(const adi *s); /* numbers a column that go on, of the relay that is waited for */
  void (*relay)(adi *s, int block, const void *in);
} adi_part_loops;
extern const adi_part_loops adi_part_f32, adi_part_f64;

/* A part of the grid: s->apart. */
struct adi_part {
  const adi_part_loops *loops;
  void *stepping;
  adi_step now;
  int from, load_before; /* the state that the step began with */
  int solution;          /* of a y-sweep, 0 or 1 */
  int mixes;             /* left of explicit diffusion */
  int tracer;            /* mixed implicitly */

  /* A y-sweep is relayed in blocks of groups of columns. */
  int groups, groups_of_block, blocks;
  size_t column_bytes; /* of a number in all columns of a group */
  void *lines;         /* [groups][up, rhs][faces][columns] eliminated */
  void *sent;          /* [groups][ADI_RELAYED][columns] for the neighbour */
  void *ring;   /* [groups][faces][columns] the same of 1 that crosses the seam; NULL: none */
  void *turned; /* [groups][ADI_RELAYED][columns] what came from the north of a ring */

  double *list;         /* room for what parts say */
  int *rim;             /* [side west, east][ny] place of a cell of a discharge in the list; -1 */
  int n_rim;            /* such cells */
  int64_t forced;       /* the place of the fastest forced rate of a look */
  ria_account whole;    /* of all parts, of water */
  ria_row_totals *rows; /* [ny] room */
};

/* --- adi_part_life.c */

ria_status adi_part_create(adi *s);
void adi_part_destroy(adi *s);
/* Memory of columns that close upon themselves. */
ria_status adi_part_ring(adi *s);

/* --- adi_parts.c */

ria_status adi_part_advance(adi *s, const ria_span *span);

/* --- adi_part_words.c */

/* From here on the part waits, and says m with its list. */
ria_status adi_meet(adi *s, int why, ria_meeting m);
/* What crossed cells of sides before a forcing is replaced; that of all was heard. */
ria_status adi_part_force(adi *s, const ria_forcing_set *set);
ria_status adi_part_forced(adi *s);
/* A state was set; or heard what lies across the seam; or it is restored. */
ria_status adi_part_prepare(adi *s);
ria_status adi_part_joined(adi *s);
void adi_part_restored(adi *s);
/* What all store, m^3, of the rows that were heard. */
double adi_part_stored(const adi *s);
/* What rows store and what crossed cells of sides; heard: what came in and went out through
 * stretches, through[2][n_stretch]. */
ria_status adi_meet_too_high(adi *s);
void adi_part_through(adi *s, double *through);
/* The cells of discharges that the part has, in its present state; NaN for the others. */
ria_status adi_meet_at_rim(adi *s, int why);
/* A cell of a discharge in the west or east: depth, bed, Manning's n. */
typedef struct adi_rim_cell {
  double depth, bed, manning;
} adi_rim_cell;
adi_rim_cell adi_part_rim(const adi *s, ria_side side, int k);

#ifdef __cplusplus
}
#endif
#endif
