/* ria.params with entries and overrides that the input chooses, of right and wrong kinds: values,
 * or an error with a message. */
#include "lua.h"

#include "bytes.h"

enum { OVERRIDES = 4 };

#define ONE_OF(b, ...)                                                                             \
  ((const char *const[]){                                                                          \
      __VA_ARGS__}[bytes_below((b), sizeof((const char *const[]){__VA_ARGS__}) / sizeof(char *))])

/* Text that ends neither the string nor the line. */
static void put_text(FILE *to, bytes *b) {
  char text[24];
  bytes_text(b, text, sizeof text);
  fputc('\'', to);
  for (const char *c = text; *c; c++)
    if (*c == '\'' || *c == '\\' || *c == '\n' || *c == '\r')
      fprintf(to, "\\%d", *c);
    else
      fputc(*c, to);
  fputc('\'', to);
}

static void put_value(FILE *to, bytes *b) {
  const unsigned how = bytes_below(b, 8);
  if (how < 2)
    fprintf(to, "%.9g", bytes_within(b, -10, 100));
  else if (how == 2)
    put_text(to, b);
  else
    fputs(ONE_OF(b, "1", "2.5", "true", "false", "nil", "'a'", "'2 h'", "'3 m/s'", "{}", "print",
                 "1e400", "-1", "{ 1, 2 }", "'on'"),
          to);
}

static void put_entry(FILE *to, bytes *b, int depth) {
  fprintf(to,
          "%s = ", ONE_OF(b, "n", "days", "wind", "name", "on", "group", "[1]", "['a b']", "['']"));
  if (!bytes_rare(b, 3)) {
    fputs("{ ", to);
    if (!bytes_rare(b, 8)) put_value(to, b);
    for (unsigned k = bytes_below(b, 4); k > 0; k--) {
      fprintf(to, ", %s = ", ONE_OF(b, "unit", "min", "max", "choices", "help", "default", "x"));
      if (bytes_rare(b, 3))
        fputs(ONE_OF(b, "'d'", "'m/s'", "'km'", "'furlong'", "{ 'a', 'b' }", "0", "10", "'kg/m3'",
                     "''"),
              to);
      else
        put_value(to, b);
    }
    if (bytes_rare(b, 5) && depth < 3) {
      fputs(", ", to);
      put_entry(to, b, depth + 1);
    }
    fputs(" }", to);
  } else {
    put_value(to, b);
  }
}

/* As `ria params` lists them. */
static void list_all(lua_State *L) {
  ria_lua_param p;
  for (size_t i = 0; ria_lua_param_at(L, i, &p); i++)
    FUZZ_DEMAND(p.name && p.type && p.unit && p.help && p.def && p.value && p.range);
  (void)ria_lua_unused_override(L);
  (void)ria_lua_usage_error(L);
  (void)ria_lua_idle(L);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n) {
  bytes b = {data, data + n};
  char override[OVERRIDES][40], *text = NULL, message[256];
  const char *overrides[OVERRIDES];
  size_t length = 0;
  ria_context *ctx = fuzz_context(0);
  const bool list = bytes_rare(&b, 3);
  const size_t n_overrides = bytes_below(&b, OVERRIDES + 1);
  for (size_t k = 0; k < n_overrides; k++) {
    overrides[k] = override[k];
    const int used =
        snprintf(override[k], sizeof override[k], "%s",
                 ONE_OF(&b, "n=", "days=", "wind=", "name=", "on=", "group.n=", "=", ""));
    bytes_text(&b, override[k] + used, sizeof override[k] - (size_t)used);
  }
  FILE *to = open_memstream(&text, &length);
  fputs("local p = require 'ria'.params { ", to);
  for (int k = 0; k < 5 && !bytes_over(&b); k++) {
    put_entry(to, &b, 0);
    fputs(", ", to);
  }
  fputs("}\nfor k, v in pairs(p) do assert(v == v or type(v) == 'number') end\n", to);
  fclose(to);
  fuzz_script s = {.text = text,
                   .n = length,

                   .look = list_all,
                   .options = {.script = "fuzz.lua",
                               .mode = list ? RIA_LUA_PARAMS : RIA_LUA_RUN,
                               .overrides = overrides,
                               .n_overrides = n_overrides}};
  fuzz_lua(&s, ctx, message, sizeof message);
  ria_context_destroy(&ctx);
  free(text);
  return 0;
}
