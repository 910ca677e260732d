/* io/wkt.h - well-known text: a .prj file, or the GeoKeys' citation, as a tree of keywords.
 *
 * WKT 1 as GDAL and ESRI write it and WKT 2 share the form KEYWORD["text", 1.5, WORD, KEYWORD[...]]
 * with [] or (). Nodes lie in one array, parents before their children. */
#ifndef RIA_IO_WKT_H
#define RIA_IO_WKT_H
#include <ria/status.h>

enum { RIA_WKT_NODES = 512, RIA_WKT_TEXT = 96, RIA_WKT_NUMBERS = 8 };

typedef struct ria_wkt_node {
  char keyword[24];        /* in capitals */
  int parent;              /* -1: the root */
  char text[RIA_WKT_TEXT]; /* the first text in quotes, "" if none; the end of a longer is cut */
  char second[16];         /* the second one: the code of AUTHORITY["EPSG","4326"] */
  double number[RIA_WKT_NUMBERS];
  int numbers;
} ria_wkt_node;

typedef struct ria_wkt {
  ria_wkt_node node[RIA_WKT_NODES];
  int n;
} ria_wkt;

/* NULL, or a message that says where the text is wrong (static). */
const char *ria_wkt_parse(const char *text, ria_wkt *out);
/* The first child of a node with one of the keywords ("DATUM|TRF"); -1: none. */
int ria_wkt_child(const ria_wkt *w, int node, const char *keywords);
/* Is a node's keyword one of these? */
bool ria_wkt_is(const ria_wkt *w, int node, const char *keywords);

#endif
