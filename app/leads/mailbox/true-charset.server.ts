import { isAscii } from 'node:buffer'
import { foreignEncoding, readForeignText } from '#app/platform/text/foreign-text.ts'

/** Bytes in which the charset of raw headers is looked for. */
const LOOKED_AT = 64 * 1024
const LINE_FEED = 10
const ENCODED_WORD = /=\?([^?\s*]+)((?:\*[^?\s]*)?\?([QqBb])\?([^?]*)\?=)/g

/**
 * The same email with raw headers in UTF-8, and with the charset of each text that its bytes tell. Many programs declare none or a wrong one,
 * and the parser believes them.
 */
export function withTrueCharsets(bytes: Uint8Array): Buffer {
  const email = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  const declared = /\bcharset\s*=\s*"?(?!us-ascii|utf-?8)([\w.:-]{1,40})/i.exec(email.toString('latin1', 0, LOOKED_AT))?.[1]
  const boundaries = new Set<string>()
  const pieces: Buffer[] = []
  for (let at = 0; at < email.length;) {
    const head = endOfHead(email, at, boundaries)
    const fields = fieldsOf(email.subarray(at, head))
    // Before the next part is looked for: thousands of multiparts inside each other must not be read thousands of times.
    addBoundary(valueOf(fields, 'content-type'), boundaries)
    const end = nextBoundary(email, head, boundaries)
    pieces.push(partHead(email.subarray(at, head), fields, { body: email.subarray(head, end), declared }))
    at = afterBoundaries(email, end, boundaries)
    pieces.push(email.subarray(head, at))
  }
  return Buffer.concat(pieces)
}

function lineAt(email: Buffer, at: number): { text: string; next: number } {
  const end = email.indexOf(LINE_FEED, at)
  const next = end < 0 ? email.length : end + 1
  // No boundary is longer.
  return { text: email.toString('latin1', at, Math.min(next, at + 200)).trimEnd(), next }
}

/** `start`, `end`, or no boundary. */
function boundaryKind(line: string, boundaries: ReadonlySet<string>): 'start' | 'end' | undefined {
  if (!line.startsWith('--')) return undefined
  if (boundaries.has(line.slice(2))) return 'start'
  return line.endsWith('--') && boundaries.has(line.slice(2, -2)) ? 'end' : undefined
}

/** After the empty line, or where the next part begins. */
function endOfHead(email: Buffer, from: number, boundaries: ReadonlySet<string>): number {
  for (let at = from; at < email.length;) {
    const { text, next } = lineAt(email, at)
    if (boundaryKind(text, boundaries)) return at
    if (text === '' && /^\r?\n?$/.test(email.toString('latin1', at, next))) return next
    at = next
  }
  return email.length
}

function nextBoundary(email: Buffer, from: number, boundaries: ReadonlySet<string>): number {
  for (let at = from; at >= 0 && at < email.length;) {
    if (email[at] === 45 && email[at + 1] === 45 && boundaryKind(lineAt(email, at).text, boundaries)) return at
    const next = email.indexOf('\n--', at)
    at = next < 0 ? -1 : next + 1
  }
  return email.length
}

/** Where the next part begins: after an end, text without headers follows until the boundary of an outer part. */
function afterBoundaries(email: Buffer, from: number, boundaries: ReadonlySet<string>): number {
  let at = from
  while (at < email.length) {
    const { text, next } = lineAt(email, at)
    if (boundaryKind(text, boundaries) === 'start') return next
    at = nextBoundary(email, next, boundaries)
  }
  return at
}

function fieldsOf(head: Buffer): string[] {
  return head.toString('latin1').split(/(?<=\n)(?![ \t])/)
}

function valueOf(fields: readonly string[], name: string): string {
  const field = fields.find((each) => new RegExp(`^${name}[ \\t]*:`, 'i').test(each)) ?? ''
  return field
    .replace(/^[^:]*:/, '')
    .replaceAll(/\r?\n/g, '')
    .trim()
}

function addBoundary(type: string, boundaries: Set<string>): void {
  const [, quoted, plain] = /;\s*boundary\s*=\s*(?:"([^"]*)"|([^\s;]+))/i.exec(type) ?? []
  if (/^multipart\//i.test(type)) boundaries.add((quoted ?? plain ?? '').trimEnd() || '\n')
}

function partHead(head: Buffer, fields: string[], { body, declared }: { body: Buffer; declared: string | undefined }): Buffer {
  const type = valueOf(fields, 'content-type')
  const charset =
    type === '' || /^text\/(plain|html|calendar)\b/i.test(type)
      ? charsetOf(body, type, valueOf(fields, 'content-transfer-encoding'))
      : undefined
  if (!charset && isAscii(head) && !head.includes('=?')) return head
  const written = fields.map((field) => withTrueWords(readForeignText(Buffer.from(inAscii(field), 'latin1'), declared)))
  return Buffer.from((charset ? withCharset(written, charset) : written).join(''))
}

/** Undefined for ASCII, which is what every program declares it to be. */
function charsetOf(body: Buffer, type: string, transfer: string): string | undefined {
  const [, encoding = ''] = /^(?:\([^)]*\)\s*)*"?([\w-]+)/.exec(transfer) ?? []
  const bytes = unpacked(body, encoding.toLowerCase())
  if (isAscii(bytes)) return undefined
  return foreignEncoding(bytes, /;\s*charset\s*=\s*"?([\w.:-]{1,40})/i.exec(type)?.[1]).encoding
}

function unpacked(body: Buffer, encoding: string): Buffer {
  if (encoding === 'base64') return Buffer.from(body.toString('latin1'), 'base64')
  return encoding === 'quoted-printable' ? unquoted(body.toString('latin1').replaceAll(/=[ \t]*\r?\n/g, '')) : body
}

function unquoted(text: string): Buffer {
  return Buffer.from(
    text.replaceAll(/=([\dA-F]{2})/gi, (_sign, code: string) => String.fromCharCode(Number.parseInt(code, 16))),
    'latin1',
  )
}

/** Raw bytes inside an encoded word have its charset, and not that of the bytes around it. */
function inAscii(field: string): string {
  return field.replaceAll(ENCODED_WORD, (word) =>
    word.replaceAll(/[\u0080-\u00ff]/g, (sign) => `=${sign.charCodeAt(0).toString(16).toUpperCase()}`),
  )
}

/** Words of one charset are one text, because a character can be divided between them. */
function withTrueWords(field: string): string {
  const texts = new Map<string, Buffer[]>()
  for (const [, charset = '', , kind = '', content = ''] of field.matchAll(ENCODED_WORD)) {
    const bytes = /b/i.test(kind) ? Buffer.from(content, 'base64') : unquoted(content.replaceAll('_', ' '))
    texts.set(charset, [...(texts.get(charset) ?? []), bytes])
  }
  const encodings = new Map([...texts].map(([charset, words]) => [charset, wordEncoding(Buffer.concat(words), charset)]))
  return field.replaceAll(ENCODED_WORD, (_word, charset: string, rest: string) => `=?${encodings.get(charset) ?? charset}${rest}`)
}

function wordEncoding(bytes: Buffer, charset: string): string {
  return isAscii(bytes) ? charset : foreignEncoding(bytes, charset).encoding
}

function withCharset(fields: string[], charset: string): string[] {
  const place = fields.findIndex((field) => /^content-type[ \t]*:/i.test(field))
  if (place < 0) return [`Content-Type: text/plain; charset=${charset}\r\n`, ...fields]
  return fields.map((field, at) => {
    if (at !== place) return field
    const without = field
      .replaceAll(/;\s*charset\*?\s*=\s*(?:"[^"]*"|[^\s;]+)/gi, '')
      .trimEnd()
      .replace(/;$/, '')
    return `${without}; charset=${charset}\r\n`
  })
}
