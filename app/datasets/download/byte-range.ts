/** First and last byte, both included. */
export type ByteRange = { start: number; end: number }

/**
 * Parses a `Range` header for a file of `size` bytes. Undefined means the whole file, also for multiple or malformed ranges (RFC 9110,
 * 14.2); `unsatisfiable` means that the range starts after the end.
 */
export function byteRange(header: string | undefined, size: number): ByteRange | 'unsatisfiable' | undefined {
  const [, first = '', last = ''] = /^bytes=(\d{0,15})-(\d{0,15})$/i.exec(header?.trim() ?? '') ?? []
  if (first === '' && last === '') return undefined
  if (first === '') return Number(last) === 0 || size === 0 ? 'unsatisfiable' : { start: Math.max(0, size - Number(last)), end: size - 1 }
  const [start, end] = [Number(first), last === '' ? Infinity : Number(last)]
  if (end < start) return undefined
  return start >= size ? 'unsatisfiable' : { start, end: Math.min(end, size - 1) }
}

/** Whether an `If-None-Match` header names this ETag. */
export function isRangeCurrent(header: string | undefined, etag: string): boolean {
  const names = new Set((header ?? '').split(',').map((name) => name.trim().replace(/^W\//, '')))
  return names.has(etag) || names.has('*')
}
