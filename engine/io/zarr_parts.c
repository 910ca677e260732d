/* io/zarr_parts.c - the files of a store: chunks and documents. */
#include "io/zarr_parts.h"
#include "io/file.h"

#include <stdlib.h>

ria_status ria_zarr_no_memory(const ria_zarr *z, char *err, size_t errsize) {
  return ria_error_text(RIA_ERR_MEMORY, err, errsize, "out of memory while writing '%s'",
                        z->layout.desc.path);
}

ria_status ria_zarr_part(const ria_zarr *z, ria_put_fn put, const char *name, const void *data,
                         size_t n, char *err, size_t errsize) {
  char *path = ria_path_join(z->layout.desc.path, name);
  if (!path) return ria_zarr_no_memory(z, err, errsize);
  ria_status s = put(path, data, n, err, errsize);
  free(path);
  return s;
}

/* The document below its key in the consolidated one. */
static void add_consolidated(ria_buffer *all, const ria_buffer *key, const ria_buffer *json) {
  if (all->n == 0)
    ria_buffer_text(all, "{\n\"zarr_consolidated_format\": 1,\n\"metadata\": {\n");
  else
    ria_buffer_text(all, ",\n");
  ria_buffer_json(all, key->data);
  ria_buffer_text(all, ": ");
  ria_buffer_add(all, json->data, json->n - 1); /* without its last newline */
}

/* Where the store is read already, a file and its name are on disk before the next: a checkpoint
 * claims every array's own document, not only the consolidated one. */
ria_status ria_zarr_write_metadata(const ria_zarr *z, int64_t n, bool everything, char *err,
                                   size_t errsize) {
  ria_buffer key = {0}, json = {0}, all = {0};
  ria_status s = RIA_OK;
  bool grows;
  for (size_t k = 0; s == RIA_OK && ria_zarr_meta_document(&z->layout, k, n, &key, &json, &grows);
       k++) {
    if (key.failed || json.failed) {
      s = ria_zarr_no_memory(z, err, errsize);
      break;
    }
    if (everything || grows)
      s = ria_zarr_part(z, everything ? ria_file_put : ria_file_replace, key.data, json.data,
                        json.n, err, errsize);
    add_consolidated(&all, &key, &json);
  }
  ria_buffer_text(&all, "\n}\n}\n");
  if (s == RIA_OK)
    s = all.failed ? ria_zarr_no_memory(z, err, errsize)
                   : ria_zarr_part(z, everything ? ria_file_put : ria_file_replace, ".zmetadata",
                                   all.data, all.n, err, errsize);
  ria_buffer_free(&key);
  ria_buffer_free(&json);
  ria_buffer_free(&all);
  return s;
}
