/** An image as posts show it. `widths` are those of its files, ascending. */
export type ImageReference = { id: string; width: number; height: number; widths: number[] }

/** The attributes of `<picture>`: `sources` in order of preference, then the fallback file. */
export type PictureSizes = { src: string; width: number; height: number; sources: { type: string; srcSet: string }[] }

const ADDRESS = /^\/images\/([\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12})\/([1-9]\d{0,4})\.(avif|webp)$/

/** Parses the URL of an image file; `undefined` for any other URL. */
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

export function sizesOf({ id, width, height, widths }: ImageReference): PictureSizes {
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
