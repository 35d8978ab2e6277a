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
