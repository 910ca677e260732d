/* io/netcdf_read.c - classic netCDF files, read.
 *
 * The format is that of "The NetCDF Classic Format Specification" (Unidata): big-endian numbers,
 * names and attributes padded to 4 bytes, records one after the other in which each variable has
 * its part. The sizes of variables that a header tells (vsize) are not believed: they follow from
 * the dimensions. */
#include "io/netcdf.h"
#include "base/context.h"
#include "base/text.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* Of a header: its bytes, and what they may hold. Writers stay far below. */
enum { HEADER_MOST = 1 << 24, DIMS_MOST = 65536, VARS_MOST = 65536, ATTS_MOST = 65536 };
enum { TAG_DIMENSION = 10, TAG_VARIABLE = 11, TAG_ATTRIBUTE = 12 };

struct ria_netcdf {
  char *path;
  int fd;
  int version;
  uint64_t size, records, record_size;
  unsigned char *header; /* the beginning of the file; names and attributes point into it */
  size_t header_n;
  ria_nc_dim *dim;
  size_t n_dims;
  ria_nc_var *var;
  size_t n_vars;
};

/* Where the header is read, and the first thing that was wrong. */
typedef struct reader {
  ria_netcdf *nc;
  size_t at;
  const char *why; /* NULL: nothing so far */
  bool memory;
} reader;

static const char cut_short[] = "the file ends within its header: is it cut short?";

/* --- numbers ---------------------------------------------------------------------------------- */

static uint64_t big_endian(const unsigned char *p, size_t n) {
  uint64_t v = 0;
  for (size_t k = 0; k < n; k++) v = v << 8 | p[k];
  return v;
}

/* Bytes of a number; 0: no type. */
static size_t size_of(ria_nc_type t) {
  static const unsigned char bytes[] = {0, 1, 1, 2, 4, 4, 8, 1, 2, 4, 8, 8};
  return (size_t)t < sizeof bytes ? bytes[t] : 0;
}

static double number_of(const unsigned char *p, ria_nc_type t) {
  const uint64_t bits = big_endian(p, size_of(t));
  const uint32_t low = (uint32_t)bits;
  double d;
  float f;
  switch (t) {
  case RIA_NC_BYTE:
    return (int8_t)bits;
  case RIA_NC_SHORT:
    return (int16_t)bits;
  case RIA_NC_INT:
    return (int32_t)bits;
  case RIA_NC_INT64:
    return (double)(int64_t)bits;
  case RIA_NC_FLOAT:
    memcpy(&f, &low, sizeof f);
    return (double)f;
  case RIA_NC_DOUBLE:
    memcpy(&d, &bits, sizeof d);
    return d;
  case RIA_NC_CHAR:
    return NAN;
  default:
    return (double)bits;
  }
}

/* Products and sums that stay at the top instead of going over it. */
static uint64_t times(uint64_t a, uint64_t b) {
  return b && a > UINT64_MAX / b ? UINT64_MAX : a * b;
}

static uint64_t plus(uint64_t a, uint64_t b) { return a > UINT64_MAX - b ? UINT64_MAX : a + b; }

/* --- the pieces of a header ------------------------------------------------------------------- */

static bool wrong(reader *r, const char *why) {
  if (!r->why) r->why = why;
  return false;
}

/* The next n bytes; NULL: they are not there. */
static const unsigned char *take(reader *r, uint64_t n) {
  const ria_netcdf *nc = r->nc;
  if (r->why) return NULL;
  if (n > nc->header_n - r->at) {
    wrong(r, nc->header_n < nc->size ? "its header has more than 16 MB" : cut_short);
    return NULL;
  }
  const unsigned char *p = nc->header + r->at;
  r->at += (size_t)n;
  return p;
}

static uint64_t take_number(reader *r, size_t bytes) {
  const unsigned char *p = take(r, bytes);
  return p ? big_endian(p, bytes) : 0;
}

/* A length: 4 bytes up to CDF-2, 8 in CDF-5; never with its highest bit. */
static uint64_t take_length(reader *r) {
  const size_t bytes = r->nc->version == 5 ? 8 : 4;
  const uint64_t v = take_number(r, bytes);
  if (v >> (8 * bytes - 1)) wrong(r, "a length in its header is negative");
  return v;
}

static uint64_t padded(uint64_t n) { return plus(n, 3) & ~(uint64_t)3; }

/* Bytes padded to a multiple of 4. */
static const unsigned char *take_padded(reader *r, uint64_t n) {
  const uint64_t all = padded(n);
  return all < n ? (wrong(r, cut_short), NULL) : take(r, all);
}

/* A name, ended by a zero: in the place of its length, which nobody reads again. */
static const char *take_name(reader *r) {
  const uint64_t n = take_length(r);
  const size_t at = r->at;
  if (!take_padded(r, n)) return "";
  unsigned char *name = r->nc->header + at;
  bool fine = n > 0 && n < 256;
  for (uint64_t k = 0; k < n && fine; k++) fine = name[k] >= ' ' && name[k] != 127;
  if (!fine) return wrong(r, "a name in its header is none: empty, long, or not text"), "";
  char *to = (char *)name - 4;
  memmove(to, name, (size_t)n);
  to[n] = '\0';
  return to;
}

/* How many there are in a list; each has `least` bytes or more. */
static size_t take_list(reader *r, unsigned tag, uint64_t most, uint64_t least) {
  const uint64_t found = take_number(r, 4), n = take_length(r);
  if (r->why) return 0;
  if (found == 0 && n == 0) return 0;
  if (found != tag) return wrong(r, "a list in its header is of the wrong kind"), (size_t)0;
  if (n > most) return wrong(r, "its header has more than 65536 names of a kind"), (size_t)0;
  if (times(n, least) > r->nc->header_n - r->at) return wrong(r, cut_short), (size_t)0;
  return (size_t)n;
}

static void *make(reader *r, size_t n, size_t size) {
  void *p = r->why ? NULL : calloc(n + 1, size);
  if (!p && !r->why) r->memory = true, r->why = "memory";
  return p;
}

static ria_nc_type take_type(reader *r) {
  const uint64_t t = take_number(r, 4), last = r->nc->version == 5 ? RIA_NC_UINT64 : RIA_NC_DOUBLE;
  if (t >= RIA_NC_BYTE && t <= last) return (ria_nc_type)t;
  return wrong(r, "a type in its header is none of this version"), RIA_NC_CHAR;
}

static void take_dims(reader *r) {
  ria_netcdf *nc = r->nc;
  const size_t n = take_list(r, TAG_DIMENSION, DIMS_MOST, 8);
  if (!(nc->dim = make(r, n, sizeof *nc->dim))) return;
  nc->n_dims = n;
  bool record = false;
  for (size_t k = 0; k < n && !r->why; k++) {
    ria_nc_dim *d = &nc->dim[k];
    d->name = take_name(r);
    d->length = take_length(r);
    d->record = d->length == 0;
    if (d->record && record)
      wrong(r, "two dimensions are without a length: one is that of records");
    record = record || d->record;
  }
}

static void take_atts(reader *r, ria_nc_att **att, size_t *n_att) {
  const size_t n = take_list(r, TAG_ATTRIBUTE, ATTS_MOST, 12);
  if (!(*att = make(r, n, sizeof **att))) return;
  *n_att = n;
  for (size_t k = 0; k < n && !r->why; k++) {
    ria_nc_att *a = &(*att)[k];
    a->name = take_name(r);
    a->type = take_type(r);
    a->n = take_length(r);
    a->raw = take_padded(r, times(a->n, size_of(a->type)));
  }
}

/* The shape of a variable: how many numbers it has. */
static void take_shape(reader *r, ria_nc_var *v) {
  const ria_netcdf *nc = r->nc;
  const uint64_t rank = take_length(r);
  if (rank > RIA_NC_DIMS_MOST) wrong(r, "a variable has more than 8 dimensions");
  v->count = 1;
  for (uint64_t k = 0; k < rank && !r->why; k++) {
    const uint64_t d = take_length(r);
    if (r->why) return;
    if (d >= nc->n_dims) {
      wrong(r, "a variable has a dimension that is not there");
      return;
    }
    v->dim[v->rank++] = (int)d;
    if (nc->dim[d].record && k > 0) wrong(r, "records are not the first dimension of a variable");
    if (nc->dim[d].record)
      v->record = true;
    else
      v->count = times(v->count, nc->dim[d].length);
  }
}

static void take_vars(reader *r) {
  ria_netcdf *nc = r->nc;
  const size_t n = take_list(r, TAG_VARIABLE, VARS_MOST, 28);
  if (!(nc->var = make(r, n, sizeof *nc->var))) return;
  nc->n_vars = n;
  for (size_t k = 0; k < n && !r->why; k++) {
    ria_nc_var *v = &nc->var[k];
    v->name = take_name(r);
    take_shape(r, v);
    take_atts(r, &v->att, &v->n_att);
    v->type = take_type(r);
    (void)take_number(r, nc->version == 5 ? 8 : 4); /* vsize */
    v->begin = take_number(r, nc->version == 1 ? 4 : 8);
  }
}

/* --- sizes ------------------------------------------------------------------------------------ */

static uint64_t bytes_of(const ria_nc_var *v) { return times(v->count, size_of(v->type)); }

/* Each variable of a record is padded to 4 bytes, but for one that is alone. */
static void take_record_size(ria_netcdf *nc) {
  uint64_t alone = 0, of_them = 0;
  for (size_t k = 0; k < nc->n_vars; k++) {
    if (!nc->var[k].record) continue;
    alone = bytes_of(&nc->var[k]);
    nc->record_size = plus(nc->record_size, padded(alone));
    of_them++;
  }
  if (of_them == 1) nc->record_size = alone;
}

/* A file whose writer did not come to say how many records there are: those that are whole. */
static void count_records(ria_netcdf *nc) {
  uint64_t first = UINT64_MAX;
  for (size_t k = 0; k < nc->n_vars; k++)
    if (nc->var[k].record && nc->var[k].begin < first) first = nc->var[k].begin;
  nc->records =
      nc->record_size && first < nc->size ? (nc->size - first) / nc->record_size : UINT64_C(0);
}

static void check_sizes(reader *r) {
  ria_netcdf *nc = r->nc;
  for (size_t k = 0; k < nc->n_vars && !r->why; k++) {
    const ria_nc_var *v = &nc->var[k];
    uint64_t end = plus(v->begin, bytes_of(v));
    if (v->record && nc->records == 0) continue;
    if (v->record) end = plus(end, times(nc->records - 1, nc->record_size));
    if (v->begin < r->at) wrong(r, "a variable begins within the header");
    if (end > nc->size) wrong(r, "the file is shorter than its header says: is it cut short?");
  }
}

static void take_header(reader *r) {
  ria_netcdf *nc = r->nc;
  const size_t wide = nc->version == 5 ? 8 : 4;
  ria_nc_att *own = NULL;
  size_t n_own = 0;
  r->at = 4;
  const uint64_t told = take_number(r, wide);
  const bool unknown = told == UINT64_MAX >> (64 - 8 * wide);
  if (!unknown) nc->records = told;
  if (nc->records >> (8 * wide - 1)) wrong(r, "its number of records is negative");
  take_dims(r);
  take_atts(r, &own, &n_own);
  free(own);
  take_vars(r);
  if (r->why) return;
  take_record_size(nc);
  if (unknown) count_records(nc);
  for (size_t k = 0; k < nc->n_dims; k++)
    if (nc->dim[k].record) nc->dim[k].length = nc->records;
  check_sizes(r);
}

/* --- files ------------------------------------------------------------------------------------ */

int ria_netcdf_version(const void *head, size_t n) {
  const char *b = head;
  if (n >= 8 && memcmp(b, "\211HDF\r\n\032\n", 8) == 0) return -1;
  return n >= 4 && memcmp(b, "CDF", 3) == 0 ? (unsigned char)b[3] : 0;
}

/* n bytes from an offset on; false: they are not there, and errno is 0 where the file ends. */
static bool read_at(int fd, uint64_t from, unsigned char *to, size_t n) {
  while (n > 0) {
    const ssize_t got = pread(fd, to, n, (off_t)from);
    if (got < 0 && errno == EINTR) continue;
    if (got == 0) errno = 0;
    if (got <= 0) return false;
    to += got;
    from += (uint64_t)got;
    n -= (size_t)got;
  }
  return true;
}

static ria_status fail_read(ria_context *ctx, const ria_netcdf *nc) {
  return ria_fail(ctx, RIA_ERR_INPUT, "%s: cannot read it: %s", nc->path,
                  errno ? strerror(errno) : "it has become shorter");
}

static ria_status read_header(ria_context *ctx, ria_netcdf *nc) {
  struct stat st;
  if (fstat(nc->fd, &st) != 0) return fail_read(ctx, nc);
  nc->size = S_ISREG(st.st_mode) ? (uint64_t)st.st_size : 0;
  nc->header_n = nc->size < HEADER_MOST ? (size_t)nc->size : (size_t)HEADER_MOST;
  nc->header = malloc(nc->header_n + 1);
  if (!nc->header) return ria_fail_memory(ctx, nc->path, nc->header_n);
  if (!read_at(nc->fd, 0, nc->header, nc->header_n)) return fail_read(ctx, nc);
  nc->version = ria_netcdf_version(nc->header, nc->header_n);
  if (nc->version != 1 && nc->version != 2 && nc->version != 5)
    return ria_fail(ctx, RIA_ERR_INPUT,
                    "%s: by its first bytes not a classic netCDF file (CDF-1, CDF-2, CDF-5)",
                    nc->path);
  reader r = {.nc = nc};
  take_header(&r);
  if (r.memory) return ria_fail_memory(ctx, nc->path, nc->header_n);
  return r.why ? ria_fail(ctx, RIA_ERR_INPUT, "%s: %s", nc->path, r.why) : RIA_OK;
}

ria_status ria_netcdf_open(ria_context *ctx, const char *path, int fd, ria_netcdf **out) {
  ria_netcdf *nc = calloc(1, sizeof *nc);
  *out = NULL;
  if (!nc) {
    close(fd);
    return ria_fail_memory(ctx, path, sizeof *nc);
  }
  nc->fd = fd;
  nc->path = ria_strdup(path);
  const ria_status status = nc->path ? read_header(ctx, nc) : ria_fail_memory(ctx, path, 1);
  if (status == RIA_OK)
    *out = nc;
  else
    ria_netcdf_close(&nc);
  return status;
}

void ria_netcdf_close(ria_netcdf **nc) {
  if (!*nc) return;
  close((*nc)->fd);
  for (size_t k = 0; k < (*nc)->n_vars; k++) free((*nc)->var[k].att);
  free((*nc)->var);
  free((*nc)->dim);
  free((*nc)->header);
  free((*nc)->path);
  free(*nc);
  *nc = NULL;
}

/* --- asking ----------------------------------------------------------------------------------- */

size_t ria_netcdf_vars(const ria_netcdf *nc) { return nc->n_vars; }
const ria_nc_var *ria_netcdf_var_at(const ria_netcdf *nc, size_t k) { return &nc->var[k]; }

const ria_nc_var *ria_netcdf_var(const ria_netcdf *nc, const char *name) {
  for (size_t k = 0; k < nc->n_vars; k++)
    if (strcmp(nc->var[k].name, name) == 0) return &nc->var[k];
  return NULL;
}

const ria_nc_dim *ria_netcdf_dim(const ria_netcdf *nc, const ria_nc_var *v, int k) {
  return &nc->dim[v->dim[k]];
}

static const ria_nc_att *att_of(const ria_nc_var *v, const char *name) {
  for (size_t k = 0; k < v->n_att; k++)
    if (strcmp(v->att[k].name, name) == 0) return &v->att[k];
  return NULL;
}

bool ria_netcdf_text(const ria_nc_var *v, const char *name, char *out, size_t size) {
  const ria_nc_att *a = att_of(v, name);
  *out = '\0';
  if (!a || a->type != RIA_NC_CHAR) return false;
  const size_t n = a->n < size - 1 ? (size_t)a->n : size - 1;
  memcpy(out, a->raw, n);
  out[n] = '\0';
  for (size_t k = strlen(out); k > 0 && out[k - 1] == ' '; k--) out[k - 1] = '\0';
  return a->n < size;
}

bool ria_netcdf_number(const ria_nc_var *v, const char *name, size_t k, double *out) {
  const ria_nc_att *a = att_of(v, name);
  if (!a || a->type == RIA_NC_CHAR || k >= a->n) return false;
  *out = number_of(a->raw + k * size_of(a->type), a->type);
  return true;
}

ria_status ria_netcdf_read(ria_context *ctx, const ria_netcdf *nc, const ria_nc_var *v,
                           uint64_t record, uint64_t from, size_t n, double *out) {
  const size_t size = size_of(v->type);
  const uint64_t at = v->begin + record * nc->record_size + from * size;
  /* the numbers lie at the end of their room and widen towards its beginning */
  unsigned char *raw = (unsigned char *)(out + n) - n * size;
  if (!read_at(nc->fd, at, raw, n * size)) return fail_read(ctx, nc);
  for (size_t k = 0; k < n; k++) out[k] = number_of(raw + k * size, v->type);
  return RIA_OK;
}
