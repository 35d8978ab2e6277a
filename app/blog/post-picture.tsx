import { cx } from '#app/ui/class-names.ts'

type PostPictureProps = { src: string; className?: string; /** What is in view at once is not waited for. */ eager?: boolean }

/** The picture of a post in the frame that is kept for it. The title beside it says what it is about. */
export function PostPicture({ src, className, eager = false }: PostPictureProps) {
  return (
    <img
      src={src}
      alt=""
      width={1600}
      height={900}
      decoding="async"
      referrerPolicy="no-referrer"
      {...(eager ? { fetchPriority: 'high' } : { loading: 'lazy' })}
      className={cx('aspect-video w-full bg-sunken object-cover', className)}
    />
  )
}
