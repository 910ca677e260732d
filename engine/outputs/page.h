/* outputs/page.h - the page of a run: index.html, to be looked at in a browser. Private.
 *
 * index.html is engine/page, the same bytes for every run. What the run says is in index.js beside
 * it: a browser runs that from file:// too, where a page may fetch nothing, and no text of the run
 * is ever parsed as HTML. index.js tells what run.json tells but for what differs from one run of a
 * scenario to the next (wall times, device, ranks, where it went on): a run that went on from a
 * checkpoint, or was cut in parts, leaves the same bytes. */
#ifndef RIA_OUTPUTS_PAGE_H
#define RIA_OUTPUTS_PAGE_H
#include "outputs/output.h"

#define RIA_PAGE_HTML "index.html"
#define RIA_PAGE_DATA "index.js"
#define RIA_PAGE_FIELDS "fields.js"

/* engine/page, joined when the library was built (engine/page/join.cmake). */
extern const unsigned char ria_page_html[];
extern const size_t ria_page_html_size;

/* Write the page as the run stands; `end` NULL: it goes on. Nothing to do for a run without one. */
ria_status ria_page_write(ria_sim *sim, const char *end, const char *message);

/* page_tables.c: "csv": { "gauges.csv": { "every": 1, "text": "..." }, ... }, every n-th row of a
 * table that is large. Rows are on disk. */
ria_status ria_page_tables(ria_sim *sim, ria_json *j);

/* page_earth.c: "earth": { "n": 17, "lon": [...], "lat": [...] }, degrees at the nodes of an n by n
 * lattice from the domain's south-western corner to the north-eastern one, rows from the south;
 * nothing where the run has no coordinate system that leads to them. */
ria_status ria_page_earth(ria_sim *sim, ria_json *j);

/* page_fields.c: fields.js, of what is in the stores on disk, in at most so many bytes: empty where
 * there are none, or no room for any. The caller frees it. */
ria_status ria_page_fields(ria_sim *sim, double most, ria_buffer *out);

/* changes.c: "changes": ["sim:at(...)", ...], where there are some. */
void ria_changes_told(const ria_sim *sim, ria_json *j);

/* run_json.c: what run.json tells of the run, but for what differs from run to run. */
ria_status ria_run_json_told(ria_json *j, ria_sim *sim, const char *end, const char *message);
/* frames.c: "series": [{ "name", "field", "unit", "range": [a, b], "log",
 * "times_s": [...] }, ...]; range and log where they are known; made: as many times as
 * there are pictures on disk. */
void ria_frames_series(const ria_sim *sim, ria_json *j, bool made);

#endif
