/* ria/film.h - films of the frames that a run drew (ria_frame_action).
 *
 * mp4 and webm are made by the program ffmpeg, where PATH has it; an animated PNG, which browsers
 * play, by the library itself, with two frames in memory however many there are. */
#ifndef RIA_FILM_H
#define RIA_FILM_H
#include <ria/sim.h>
#include <ria/status.h>
#ifdef __cplusplus
extern "C" {
#endif

enum { RIA_FILM_SERIES = 16, RIA_FILM_PATH = 4096 };

typedef struct ria_film_desc {
  const char *dir;           /* results of a run, ended or under way */
  const char *const *series; /* [n_series] names of frames; several stand side by side in each
                                picture. None: the first that the run asked for */
  size_t n_series;           /* at most RIA_FILM_SERIES */
  double fps;                /* frames a second, 0.1 to 120; 0 = 12 */
  int width, height;         /* pixels that the pictures are fitted into, keeping their proportions;
                                0, 0 = as large as the largest frame, smaller ones in its upper
                                left corner on white; one of them 0 = as follows */
  const char *title;         /* in a band above the pictures; NULL = none */
  const char *path; /* .mp4, .webm, .png or .apng; NULL = <dir>/<series>.mp4, .png without ffmpeg */
} ria_film_desc;

/* What was made. */
typedef struct ria_film_info {
  char path[RIA_FILM_PATH];
  size_t frames;
  int width, height;
  double seconds;
  bool by_ffmpeg;
} ria_film_info;

/* info may be NULL. RIA_ERR_ARGUMENT: no such frames, a kind of film that is none of these, or one
 * that needs ffmpeg where there is none. RIA_ERR_INPUT: run.json or a frame cannot be read, or
 * frames of several series differ in number or time; the message names the files.
 * RIA_ERR_OUTPUT: ffmpeg failed, with what it said, or the disk did. What was at the path stays. */
RIA_API ria_status ria_film(ria_context *ctx, const ria_film_desc *desc, ria_film_info *info);

/* A film at the end of a run, also of one that is interrupted or fails, of the frames that are
 * there by then: one of its results, listed in run.json, replaced by --overwrite, made again where
 * the run goes on. desc: as above; dir is NULL, the run's own; path the name of a file in it, of
 * the first series and .mp4, .png without ffmpeg, if NULL. Copied. Before the run starts. The start
 * of the run refuses series of frames that nothing has asked for by then, and several whose frames
 * come at different times. After a run without a
 * frame there is no film. RIA_ERR_ARGUMENT: as ria_film, and a name that another film has. */
RIA_API ria_status ria_sim_film(ria_sim *sim, const ria_film_desc *desc);

#ifdef __cplusplus
}
#endif
#endif
