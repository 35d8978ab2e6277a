/** What stands in the picture that is shown where a page is shared. */
export type PictureText = {
  /** Letters, digits and dashes; no other picture has it. It is part of the address. */
  name: string
  /** What lies beside the rows: grains among chaff, a text seen from afar, or pieces of HTML, one a line. */
  mess: 'chaff' | 'text' | readonly string[]
  /** A few words above the title. */
  kicker: string
  title: string
  /** Name and value; at most four are shown. */
  rows: readonly (readonly [name: string, value: string])[]
}

/** In pixels: what networks ask for. */
export const PICTURE_SIZE = { width: 1200, height: 630 } as const

export type Picture = { url: string; alt: string }

/** For the head of a page: among what its `meta` answers. */
export function pictureMeta({ url, alt }: Picture) {
  return [
    { property: 'og:image', content: url },
    { property: 'og:image:type', content: 'image/png' },
    { property: 'og:image:width', content: String(PICTURE_SIZE.width) },
    { property: 'og:image:height', content: String(PICTURE_SIZE.height) },
    { property: 'og:image:alt', content: alt },
    { name: 'twitter:image', content: url },
    { name: 'twitter:image:alt', content: alt },
  ]
}
