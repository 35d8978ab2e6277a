import { z } from 'zod/mini'
import { characterCount, oneLine } from '#app/platform/clean-text.ts'

export const IMAGES = '/api/images'

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

/** What is known of a picture wherever it is shown. `widths` are those of its files, smallest first. */
export type Picture = { id: string; width: number; height: number; widths: number[] }

/** What `<picture>` needs of one: `sources` in the order in which a browser may choose, then the file for all others. */
export type PictureSizes = { src: string; width: number; height: number; sources: { type: string; srcSet: string }[] }

const ADDRESS = /^\/images\/([\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12})\/([1-9]\d{0,4})\.(avif|webp)$/

/** Which file of which picture of ours an address leads to; nothing for every other address. */
export function imageAddress(address: string): { id: string; width: number; format: string } | undefined {
  const [, id, width, format] = ADDRESS.exec(address) ?? []
  return id && format ? { id, width: Number(width), format } : undefined
}

export function imageIdOf(address: string): string | undefined {
  return imageAddress(address)?.id
}

export function imageUrl(id: string, width: number, format: 'avif' | 'webp' = 'webp'): string {
  return `/images/${id}/${width}.${format}`
}

export function sizesOf({ id, width, height, widths }: Picture): PictureSizes {
  const srcSet = (format: 'avif' | 'webp') => widths.map((each) => `${imageUrl(id, each, format)} ${each}w`).join(', ')
  return {
    src: imageUrl(id, widths.at(-1) ?? width),
    width,
    height,
    sources: [
      { type: 'image/avif', srcSet: srcSet('avif') },
      { type: 'image/webp', srcSet: srcSet('webp') },
    ],
  }
}
