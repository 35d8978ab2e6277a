type AvatarProps = {
  src: string | undefined
  /** The text beside it: the picture adds nothing for screen readers. */
  label: string
  /** `large` where the picture is the subject, `tiny` within a line of text. */
  size?: keyof typeof sizes
}

const sizes = {
  tiny: { pixels: 24, box: 'size-6 text-fine' },
  small: { pixels: 36, box: 'size-9 text-small' },
  large: { pixels: 96, box: 'size-24 text-h2' },
}

/** A person's picture, or the initial of their name. */
export function Avatar({ src, label, size = 'small' }: AvatarProps) {
  const { pixels } = sizes[size]
  const box = `${sizes[size].box} shrink-0 rounded-full border border-line`
  if (src) return <img src={src} alt="" width={pixels} height={pixels} referrerPolicy="no-referrer" className={`${box} object-cover`} />
  // As an image, not as text: the accessible name of a button with both would have to begin with the initial.
  return (
    <span
      data-initial={label.slice(0, 1).toUpperCase()}
      className={`${box} grid place-items-center bg-grain-wash font-semibold text-grain-text before:content-[attr(data-initial)/'']`}
    />
  )
}
