// Signatures have control characters.
/* oxlint-disable no-control-regex */

const BINARY = 'application/octet-stream'

/** The first bytes of each type. */
const signatures: [head: RegExp, mediaType: string][] = [
  [/^\x89PNG\r\n\x1a\n/, 'image/png'],
  [/^\xff\xd8\xff/, 'image/jpeg'],
  [/^GIF8[79]a/, 'image/gif'],
  [/^RIFF....WEBP/s, 'image/webp'],
  [/^....ftyp(avif|avis)/s, 'image/avif'],
  [/^....ftyp(heic|heix|mif1)/s, 'image/heic'],
  [/^....ftyp/s, 'video/mp4'],
  [/^%PDF-/, 'application/pdf'],
  [/^MZ/, 'application/vnd.microsoft.portable-executable'],
  [/^\x7fELF/, 'application/x-executable'],
  [/^(\xfe\xed\xfa[\xce\xcf]|[\xce\xcf]\xfa\xed\xfe|\xca\xfe\xba\xbe)/, 'application/x-executable'],
  [/^#!/, 'text/x-script'],
  [/^L\0\0\0\x01\x14\x02\0/, 'application/x-ms-shortcut'],
  [/^\x1f\x8b/, 'application/gzip'],
  [/^7z\xbc\xaf\x27\x1c/, 'application/x-7z-compressed'],
  [/^Rar!\x1a\x07/, 'application/vnd.rar'],
  [/^\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1/, 'application/x-ole-storage'],
  [/^(ID3|\xff[\xfb\xf3\xf2])/, 'audio/mpeg'],
  [/^OggS/, 'audio/ogg'],
  [/^\{\\rtf/, 'application/rtf'],
  [/^PAR1/, 'application/vnd.apache.parquet'],
  [/^SQLite format 3\0/, 'application/vnd.sqlite3'],
]

/** Documents that are ZIP files inside, by a name in the first of them. */
const zipped: [name: RegExp, mediaType: string][] = [
  [/vbaProject\.bin/, 'application/vnd.ms-office.macros'],
  [/\bword\//, 'application/vnd.openxmlformats-officedocument.wordprocessingml.document'],
  [/\bxl\//, 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet'],
  [/\bppt\//, 'application/vnd.openxmlformats-officedocument.presentationml.presentation'],
  [/mimetypeapplication\/vnd\.oasis\.opendocument/, 'application/vnd.oasis.opendocument.text'],
]

/** Texts in which a browser would run something. */
const texts: [start: RegExp, mediaType: string][] = [
  [/^\s*(<\?xml[^>]{0,200}>\s*)?(<!--[^>]{0,500}>\s*)?(<!doctype svg[^>]{0,200}>\s*)?<svg\b/i, 'image/svg+xml'],
  [/^\s*(<!doctype html|<(html|head|body|script|iframe|meta|table|div|p|a)\b)/i, 'text/html'],
  [/^\s*<\?xml\b/, 'application/xml'],
  [/^BEGIN:VCALENDAR/i, 'text/calendar'],
  [/^BEGIN:VCARD/i, 'text/vcard'],
  [/^\s*[[{]/, 'application/json'],
]

const LOOKED_AT = 4_096

/** The type of a file by its content, never by its name. */
export function fileTypeOf(bytes: Uint8Array): string {
  const head = Buffer.from(bytes.subarray(0, LOOKED_AT)).toString('latin1')
  const known = signatures.find(([pattern]) => pattern.test(head))
  if (known) return known[1]
  if (/^PK(\x03\x04|\x05\x06)/.test(head)) return zipTypeOf(bytes)
  return isText(bytes.subarray(0, LOOKED_AT)) ? textTypeOf(head) : BINARY
}

/** Names of the files inside are at the beginning and, all of them, at the end. */
function zipTypeOf(bytes: Uint8Array): string {
  const ends = [bytes.subarray(0, LOOKED_AT), bytes.subarray(Math.max(0, bytes.length - 16 * LOOKED_AT))]
  const text = ends.map((part) => Buffer.from(part).toString('latin1')).join('')
  const known = zipped.find(([name]) => name.test(text))
  return known?.[1] ?? 'application/zip'
}

function textTypeOf(head: string): string {
  const known = texts.find(([start]) => start.test(head.replace(/^\xef\xbb\xbf/, '')))
  return known?.[1] ?? 'text/plain'
}

function isText(bytes: Uint8Array): boolean {
  return bytes.length > 0 && !bytes.some((byte) => byte < 9 || (byte > 13 && byte < 32 && byte !== 27))
}
