/* adi_edge_k.h - edges of the domain at which level and flux depend on each other.
 *
 * Included once per precision (RIA_PRECISION), by gcc and by nvcc, after adi_k.h. */
#define adi_edge RIA_K(adi_edge)
#define R RIA_PRECISION

/* What holds at an edge of the domain between the level and the flux there, both of them unknown:
 *
 *   a (level' - at) + b q' = c
 *
 * level': of the cell inside, at the end of the half step, which is the middle of the flux's step;
 * q': flux into the domain per width, m^2/s, at the end of its step. For a, b >= 0, not both 0, the
 * line can be solved at any Courant number. */
typedef struct adi_edge {
  R a, at, b, c;
} adi_edge;

/* Its row: level' = known + sign k (u' - u'_in). sign, known: as for adi_boundary. */
RIA_KERNEL adi_row adi_edge_row(R sign, R known, adi_edge e, const adi_way *w) {
  const R inside = -e.a * w->k;
  const adi_row row = {sign > 0 ? (R)0 : inside, e.b - inside, sign > 0 ? inside : (R)0,
                       sign * (e.c - e.a * (known - e.at))};
  return row;
}

/* --- a rating -----------------------------------------------------------------------------------
 *
 * What crosses its face in half a step, m out of the domain per width, is what the curve says of
 * the level at the end of that half step: m = out + slope (level' - level), none where that is less
 * than none, and at most what runs critically from what stands in the cell. With m (level' - first
 * level of the curve) >= 0 it takes energy from every wave, however steep the curve and long the
 * step. The line is solved for u' of which m is the mean with the old flux; what is kept of it as
 * flux is m itself: u' would remember that a step ago more crossed, and less in this one.
 *
 * A line knows one of the three pieces: which one, the level says that comes of nothing leaving and
 * of the inner flux as it is, or of a first solution. */

/* That level: known, fluxes of both faces, and what a first solution gave of both (adi_between), if
 * there was one. */
RIA_KERNEL R adi_rated_level(R sign, R known, R u, R u_in, int second, R first, R first_in,
                             const adi_way *w) {
  const R to = second ? 2 * first - u : -u, to_in = second ? 2 * first_in - u_in : u_in;
  return known + sign * w->k * (to - to_in);
}

/* Its row. guess: adi_rated_level; the other arguments: as for adi_boundary. */
RIA_KERNEL adi_row adi_rated(R sign, R level, R bed, R known, R guess, int second, R u, R out,
                             R slope, const adi_way *w) {
  const R h = adi_depth(level, bed), c = ria_root(w->g * h), rise = guess - level;
  const R at = second ? rise : (R)0; /* where nothing leaves it stands too high */
  const adi_row none = {0, 1, 0, -u};
  if (!adi_open(h, bed, u, w) || !(out + slope * rise > 0)) return none;
  const int fast = out + slope * at > c * (h + (R)1.5 * at);
  const adi_edge e = {fast ? (R)1.5 * c : slope, level, (R)0.5,
                      -(fast ? c * h : out) - (R)0.5 * sign * u};
  return adi_edge_row(sign, known, e, w);
}

/* The line is solved: the sum of the old and the new flux over its face. None comes in, and a
 * rounding error is none, for a face that something crosses is open. */
RIA_KERNEL R adi_let_out(R sign, R both, R u) {
  const R place = sizeof(R) == 4 ? (R)1e-6 : (R)1e-14;
  return -sign * both > place * ria_abs(u) ? both : (R)0;
}
/* The flux that is kept: moved crossed. */
RIA_KERNEL R adi_rated_flux(R moved, const adi_way *w) { return (R)0.5 * moved * ria_inv(w->k); }

#undef R
