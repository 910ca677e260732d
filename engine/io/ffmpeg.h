/* io/ffmpeg.h - the program ffmpeg, where it is found: it gets pictures and makes a film of them.
 *
 * It is started with a list of arguments, never through a shell, and gets the pictures by a pipe.
 * What it says of errors comes back as a message. On one thread from the start to the end. */
#ifndef RIA_IO_FFMPEG_H
#define RIA_IO_FFMPEG_H
#include <ria/status.h>

typedef struct ria_ffmpeg ria_ffmpeg;

/* Its path, where PATH has it; false: nowhere, or the context is limited and starts no programs. */
bool ria_ffmpeg_find(ria_context *ctx, char *path, size_t size);

/* Start it for a film at out, which is overwritten: webm (VP9) or mp4 (H.264). */
ria_status ria_ffmpeg_start(ria_context *ctx, const char *program, const char *out, bool webm,
                            int width, int height, double fps, ria_ffmpeg **f);
/* rgb[height][width][3] */
ria_status ria_ffmpeg_add(ria_context *ctx, ria_ffmpeg *f, const uint8_t *rgb);
/* Wait for its end. whole: all pictures came, and it is an error if it failed; else it is stopped,
 * and RIA_OK. f is gone after it. */
ria_status ria_ffmpeg_end(ria_context *ctx, ria_ffmpeg **f, bool whole);

#endif
