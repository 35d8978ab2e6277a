import type { PictureSizes } from '#app/blog/images/picture.ts'
import { cx } from '#app/ui/class-names.ts'

export type ShownPicture = { src: string; alt: string; sizes?: PictureSizes | undefined }

type PostPictureProps = {
  picture: ShownPicture
  className?: string
  /** For images in the first screen: loads without delay. */ eager?: boolean
  /** On a card, whose link already says what it leads to. */ isDecoration?: boolean
}

const SIZES = { head: '(width < 80rem) 100vw, 75rem', card: '(width < 40rem) 100vw, (width < 64rem) 50vw, 25rem' }

/** The featured image in its reserved frame. */
export function PostPicture({ picture: { src, alt, sizes }, className, eager = false, isDecoration = false }: PostPictureProps) {
  const look = cx('aspect-video w-full bg-sunken object-cover', className)
  const fetching = eager ? ({ fetchPriority: 'high' } as const) : ({ loading: 'lazy' } as const)
  const common = { decoding: 'async', className: look, ...fetching } as const
  const words = isDecoration ? '' : alt
  if (!sizes) return <img {...common} alt={words} src={src} width={1600} height={900} referrerPolicy="no-referrer" />
  return (
    <picture className="contents">
      {sizes.sources.map(({ type, srcSet }) => (
        <source key={type} type={type} srcSet={srcSet} sizes={eager ? SIZES.head : SIZES.card} />
      ))}
      <img {...common} alt={words} src={sizes.src} width={sizes.width} height={sizes.height} />
    </picture>
  )
}
