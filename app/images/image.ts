import { z } from 'zod/mini'
import { characterCount, oneLine } from '#app/platform/clean-text.ts'

export const IMAGES = '/api/images'
/** The job that removes the files of a picture that has no row. */
export const SWEEP_JOB = 'images.sweep'

/** Bytes of the largest picture that is taken. */
export const MOST_IMAGE_BYTES = 15 * 1024 * 1024
export const IMAGE_TOO_LARGE = 'This picture is too large: it can have at most 15 MB.'
export const MOST_ALT = 300
export const MOST_NAME = 200

/** A picture in our own storage, as the API answers it. `url` is the widest file of it, `width` and `height` are that file's pixels. */
export const image = z.object({
  id: z.string(),
  url: z.string(),
  width: z.number(),
  height: z.number(),
  alt: z.string(),
  fileName: z.string(),
})

/** One page of them, newest first; `nextCursor` asks for the one after it. */
export const imagePage = z.object({ images: z.array(image), nextCursor: z.nullable(z.string()) })

export type Image = z.infer<typeof image>
export type ImagePage = z.infer<typeof imagePage>

/** What a reader hears who cannot see the picture. */
export const altText = z.string('Alt text is required').check(
  z.overwrite(oneLine),
  z.minLength(1, 'Alt text is required'),
  z.refine((given) => characterCount(given) <= MOST_ALT, `Alt text must be at most ${MOST_ALT} characters`),
)
