/** The accepted formats of an image, and their names. */
export const pictureTypes = ['image/png', 'image/jpeg', 'image/webp', 'image/avif'] as const
export const PICTURE_KINDS = 'PNG, JPEG, WebP or AVIF'
export const NO_PICTURE = `This file is not a picture that we can read. Send ${PICTURE_KINDS}.`

type Kind = (typeof pictureTypes)[number]

/** The format of a file by its first bytes, whatever its name: only these formats are decoded. */
export function kindOfPicture(bytes: Uint8Array): Kind | undefined {
  const head = String.fromCharCode(...bytes.subarray(0, 32))
  if (head.startsWith('\x89PNG\r\n\x1a\n')) return 'image/png'
  if (head.startsWith('\xff\xd8\xff')) return 'image/jpeg'
  if (head.startsWith('RIFF') && head.startsWith('WEBP', 8)) return 'image/webp'
  return /^....ftyp(avif|avis|mif1)/s.test(head) ? 'image/avif' : undefined
}
