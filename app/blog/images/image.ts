import { z } from 'zod/mini'
import { atMost, oneLine } from '#app/platform/text/clean-text.ts'

export const IMAGES = '/api/images'
/** The job that deletes the files of an image without a row. */
export const IMAGE_CLEANUP_JOB = 'images.sweep'

/** Maximum upload in bytes. */
export const MOST_IMAGE_BYTES = 15 * 1024 * 1024
export const IMAGE_TOO_LARGE = 'This image is too large. The limit is 15 MB.'
export const MOST_ALT = 300
export const MOST_NAME = 200

/** An image in our own storage. `url` is its widest file, with that file's `width` and `height` in pixels. */
export const image = z.object({
  id: z.string(),
  url: z.string(),
  width: z.number(),
  height: z.number(),
  alt: z.string(),
  fileName: z.string(),
})

/** One page, newest first; `nextCursor` requests the next one. */
export const imagePage = z.object({ images: z.array(image), nextCursor: z.nullable(z.string()) })

export type Image = z.infer<typeof image>
export type ImagePage = z.infer<typeof imagePage>

/** Read aloud to people who cannot see the image. */
export const altText = z
  .string('Alt text is required')
  .check(
    z.overwrite(oneLine),
    z.minLength(1, 'Alt text is required'),
    ...atMost(MOST_ALT, `Alt text must be at most ${MOST_ALT} characters`),
  )
