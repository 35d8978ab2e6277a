type AvatarProps = { src: string | undefined; /** The words beside it: a picture adds nothing for those who hear them. */ label: string }

/** A person's picture, or the first letter of how they are called. */
export function Avatar({ src, label }: AvatarProps) {
  const box = 'size-9 shrink-0 rounded-full border border-line'
  if (src) return <img src={src} alt="" width={36} height={36} referrerPolicy="no-referrer" className={`${box} object-cover`} />
  // As a picture, not as text: the name of a button with both would have to begin with the letter.
  return (
    <span
      data-letter={label.slice(0, 1).toUpperCase()}
      className={`${box} grid place-items-center bg-grain-wash font-mono text-small font-medium text-grain-text before:content-[attr(data-letter)/'']`}
    />
  )
}
