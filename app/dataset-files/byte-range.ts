/** From the first to the last byte, both included. */
export type ByteRange = { start: number; end: number }

/**
 * Which part of a file of `size` bytes a header `Range` asks for; nothing when it is to be answered as a whole, as all is that is not one plain part (RFC 9110, 14.2);
 * `unsatisfiable` for a part that lies behind its end.
 */
export function byteRange(header: string | undefined, size: number): ByteRange | 'unsatisfiable' | undefined {
  const [, first = '', last = ''] = /^bytes=(\d{0,15})-(\d{0,15})$/i.exec(header?.trim() ?? '') ?? []
  if (first === '' && last === '') return undefined
  if (first === '') return Number(last) === 0 || size === 0 ? 'unsatisfiable' : { start: Math.max(0, size - Number(last)), end: size - 1 }
  const [start, end] = [Number(first), last === '' ? Infinity : Number(last)]
  if (end < start) return undefined
  return start >= size ? 'unsatisfiable' : { start, end: Math.min(end, size - 1) }
}

/** Whether a header `If-None-Match` names what is there already. */
export function isKnown(header: string | undefined, etag: string): boolean {
  const names = new Set((header ?? '').split(',').map((name) => name.trim().replace(/^W\//, '')))
  return names.has(etag) || names.has('*')
}
