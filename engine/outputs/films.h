/* outputs/films.h - what films of results and films at the end of a run share. Private. */
#ifndef RIA_OUTPUTS_FILMS_H
#define RIA_OUTPUTS_FILMS_H
#include <ria/film.h>

/* The numbers of a description; RIA_ERR_ARGUMENT. */
ria_status ria_film_check(ria_context *ctx, const ria_film_desc *desc);
/* ria_film by this process alone. whole: frames that are missing are an error; else the film is of
 * those that all series have, and where there is none info->frames is 0 and nothing is made. */
ria_status ria_film_alone(ria_context *ctx, const ria_film_desc *desc, bool whole,
                          ria_film_info *info);
/* Is this the name of a file that can be a film? */
bool ria_film_is_name(const char *name);

#endif
