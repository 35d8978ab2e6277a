/** The content of the image that is shown where a page is shared. */
export type PictureText = {
  /** Unique ASCII slug; it is part of the URL. */
  name: string
  /** The decoration beside the rows: scattered rows, a distant text, or pieces of HTML, one per line. */
  backdrop: 'scatter' | 'text' | readonly string[]
  /** A few words above the title. */
  kicker: string
  title: string
  /** Name and value; at most four are shown. */
  rows: readonly (readonly [name: string, value: string])[]
  /** A stored image of the page's own, which is shown instead of a drawing. */
  photo?: { file: string; alt: string }
}

/** In pixels: what networks ask for. */
export const PICTURE_SIZE = { width: 1200, height: 630 } as const

/** `type` is that of an image of ours, which has the size that networks ask for. */
export type PreviewImage = { url: string; alt: string; type?: 'image/png' | 'image/jpeg' }

type MetaTag = { property?: string; name?: string; content: string }

/** For a page's `meta`. */
export function pictureMeta({ url, alt, type }: PreviewImage): MetaTag[] {
  const ours = (of: string) => [
    { property: 'og:image:type', content: of },
    { property: 'og:image:width', content: String(PICTURE_SIZE.width) },
    { property: 'og:image:height', content: String(PICTURE_SIZE.height) },
  ]
  return [
    { property: 'og:image', content: url },
    ...(type ? ours(type) : []),
    { property: 'og:image:alt', content: alt },
    { name: 'twitter:image', content: url },
    { name: 'twitter:image:alt', content: alt },
  ]
}
