/** A type of file, told by its content and never by its name. `label` is for people. */
export type FileType = { mediaType: string; label: string }

const BINARY: FileType = { mediaType: 'application/octet-stream', label: 'File' }

/** The first bytes of each type. */
const signatures: [head: RegExp, mediaType: string, label: string][] = [
  [/^\x89PNG\r\n\x1a\n/, 'image/png', 'PNG image'],
  [/^\xff\xd8\xff/, 'image/jpeg', 'JPEG image'],
  [/^GIF8[79]a/, 'image/gif', 'GIF image'],
  [/^RIFF....WEBP/s, 'image/webp', 'WebP image'],
  [/^....ftyp(avif|avis)/s, 'image/avif', 'AVIF image'],
  [/^....ftyp(heic|heix|mif1)/s, 'image/heic', 'HEIC image'],
  [/^....ftyp/s, 'video/mp4', 'MP4 video'],
  [/^%PDF-/, 'application/pdf', 'PDF'],
  [/^MZ/, 'application/vnd.microsoft.portable-executable', 'Program: do not open'],
  [/^\x7fELF/, 'application/x-executable', 'Program: do not open'],
  [/^(\xfe\xed\xfa[\xce\xcf]|[\xce\xcf]\xfa\xed\xfe|\xca\xfe\xba\xbe)/, 'application/x-executable', 'Program: do not open'],
  [/^#!/, 'text/x-script', 'Script: do not open'],
  [/^L\0\0\0\x01\x14\x02\0/, 'application/x-ms-shortcut', 'Shortcut: do not open'],
  [/^\x1f\x8b/, 'application/gzip', 'Gzip archive'],
  [/^7z\xbc\xaf\x27\x1c/, 'application/x-7z-compressed', '7-Zip archive'],
  [/^Rar!\x1a\x07/, 'application/vnd.rar', 'RAR archive'],
  [/^\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1/, 'application/x-ole-storage', 'Old Office document, can hold macros'],
  [/^(ID3|\xff[\xfb\xf3\xf2])/, 'audio/mpeg', 'MP3 audio'],
  [/^OggS/, 'audio/ogg', 'Ogg audio'],
  [/^\{\\rtf/, 'application/rtf', 'Rich text'],
  [/^PAR1/, 'application/vnd.apache.parquet', 'Parquet'],
  [/^SQLite format 3\0/, 'application/vnd.sqlite3', 'SQLite database'],
]

/** Documents that are ZIP files inside, by a name in the first of them. */
const zipped: [name: RegExp, mediaType: string, label: string][] = [
  [/vbaProject\.bin/, 'application/zip', 'Office document with macros: do not open'],
  [/\bword\//, 'application/vnd.openxmlformats-officedocument.wordprocessingml.document', 'Word document'],
  [/\bxl\//, 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet', 'Excel workbook'],
  [/\bppt\//, 'application/vnd.openxmlformats-officedocument.presentationml.presentation', 'PowerPoint presentation'],
  [/mimetypeapplication\/vnd\.oasis\.opendocument/, 'application/vnd.oasis.opendocument.text', 'OpenDocument'],
]

/** Texts in which a browser would run something. */
const texts: [start: RegExp, mediaType: string, label: string][] = [
  [/^\s*(<\?xml[^>]{0,200}>\s*)?(<!--[^>]{0,500}>\s*)?(<!doctype svg[^>]{0,200}>\s*)?<svg\b/i, 'image/svg+xml', 'SVG image, can hold scripts'],
  [/^\s*(<!doctype html|<(html|head|body|script|iframe|meta|table|div|p|a)\b)/i, 'text/html', 'Web page, can hold scripts'],
  [/^\s*<\?xml\b/, 'application/xml', 'XML'],
  [/^BEGIN:VCALENDAR/i, 'text/calendar', 'Calendar entry'],
  [/^BEGIN:VCARD/i, 'text/vcard', 'Contact card'],
  [/^\s*[[{]/, 'application/json', 'JSON'],
]

const LOOKED_AT = 4_096

export function fileTypeOf(bytes: Uint8Array): FileType {
  const head = Buffer.from(bytes.subarray(0, LOOKED_AT)).toString('latin1')
  const known = signatures.find(([pattern]) => pattern.test(head))
  if (known) return { mediaType: known[1], label: known[2] }
  if (/^PK(\x03\x04|\x05\x06)/.test(head)) return zipTypeOf(bytes)
  return isText(bytes.subarray(0, LOOKED_AT)) ? textTypeOf(head) : BINARY
}

/** Names of the files inside are at the beginning and, all of them, at the end. */
function zipTypeOf(bytes: Uint8Array): FileType {
  const ends = [bytes.subarray(0, LOOKED_AT), bytes.subarray(Math.max(0, bytes.length - 16 * LOOKED_AT))]
  const text = ends.map((part) => Buffer.from(part).toString('latin1')).join('')
  const known = zipped.find(([name]) => name.test(text))
  return known ? { mediaType: known[1], label: known[2] } : { mediaType: 'application/zip', label: 'ZIP archive' }
}

function textTypeOf(head: string): FileType {
  const known = texts.find(([start]) => start.test(head.replace(/^\xef\xbb\xbf/, '')))
  return known ? { mediaType: known[1], label: known[2] } : { mediaType: 'text/plain', label: 'Text' }
}

function isText(bytes: Uint8Array): boolean {
  return bytes.length > 0 && !bytes.some((byte) => byte < 9 || (byte > 13 && byte < 32 && byte !== 27))
}
