/** How bytes are read. `damaged` counts the characters that the encoding does not explain; they become U+FFFD. */
export type ForeignEncoding = { encoding: string; damaged: number }

/** Labels of code pages that the Encoding Standard lists under other names. */
const CODE_PAGES: Readonly<Record<string, string>> = { 932: 'shift_jis', 936: 'gbk', 949: 'euc-kr', 950: 'big5', 65001: 'utf-8' }
const FALLBACK = 'windows-1252'

/**
 * Text of unknown origin: a byte order mark decides, then strict UTF-8, then the declared charset, then Windows-1252, which includes
 * Latin-1. A byte order mark is no part of the text.
 */
export function readForeignText(bytes: Uint8Array, declared?: string): string {
  return new TextDecoder(foreignEncoding(bytes, declared).encoding).decode(bytes)
}

/** The encoding of a whole text, as a name of the Encoding Standard. */
export function foreignEncoding(bytes: Uint8Array, declared?: string): ForeignEncoding {
  const evidence = new Evidence(declared)
  evidence.add(bytes)
  return evidence.judge()
}

/** The encoding of a stream. It is read to its end, because only the last byte proves UTF-8. */
export async function foreignEncodingOf(chunks: AsyncIterable<Uint8Array>, declared?: string): Promise<ForeignEncoding> {
  const evidence = new Evidence(declared)
  for await (const chunk of chunks) evidence.add(chunk)
  return evidence.judge()
}

/** The text of a stream, read a second time in its encoding. */
export async function* foreignText(chunks: AsyncIterable<Uint8Array>, encoding: string): AsyncIterable<string> {
  const decoder = new TextDecoder(encoding)
  for await (const chunk of chunks) yield decoder.decode(chunk, { stream: true })
  yield decoder.decode()
}

class Evidence {
  readonly #strict = new TextDecoder('utf-8', { fatal: true })
  readonly #readings: Reading[]
  #start = new Uint8Array()
  #isUtf8 = true
  #isAscii = true

  constructor(declared?: string) {
    const known = declared && knownEncoding(declared)
    this.#readings = (known && known !== 'utf-8' ? ['utf-8', known] : ['utf-8']).map((encoding) => new Reading(encoding))
  }

  add(chunk: Uint8Array): void {
    if (this.#start.length < 4) this.#start = Uint8Array.from([...this.#start, ...chunk.subarray(0, 4)]).subarray(0, 4)
    this.#isAscii &&= chunk.every((byte) => byte < 0x80)
    if (this.#isUtf8) this.#check(chunk, { stream: true })
    if (!this.#isAscii) for (const reading of this.#readings) reading.add(chunk)
  }

  judge(): ForeignEncoding {
    const wide = wideEncoding(this.#start)
    if (wide) return { encoding: wide, damaged: 0 }
    if (this.#isUtf8) this.#check(new Uint8Array(), {})
    for (const reading of this.#readings) reading.end()
    const [utf8, declared] = this.#readings
    // ASCII proves nothing: Japanese text in ISO-2022-JP consists of it.
    if (this.#isUtf8) return { encoding: (this.#isAscii && declared?.encoding) || 'utf-8', damaged: 0 }
    // A text is still UTF-8 if a few of its characters are broken, as at the end of an email that was cut.
    const hasMark = this.#start[0] === 0xef && this.#start[1] === 0xbb && this.#start[2] === 0xbf
    if (utf8 && (hasMark || utf8.explains)) return { encoding: 'utf-8', damaged: utf8.damaged }
    return declared?.explains ? { encoding: declared.encoding, damaged: declared.damaged } : { encoding: FALLBACK, damaged: 0 }
  }

  #check(chunk: Uint8Array, options: TextDecodeOptions): void {
    try {
      this.#strict.decode(chunk, options)
    } catch {
      this.#isUtf8 = false
    }
  }
}

/** The characters beyond ASCII in one encoding. */
class Reading {
  readonly encoding: string
  readonly #decoder: TextDecoder
  #whole = 0
  damaged = 0

  constructor(encoding: string) {
    this.encoding = encoding
    this.#decoder = new TextDecoder(encoding)
  }

  get explains(): boolean {
    return this.#whole > this.damaged
  }

  add(chunk: Uint8Array): void {
    this.#count(this.#decoder.decode(chunk, { stream: true }))
  }

  end(): void {
    this.#count(this.#decoder.decode())
  }

  #count(text: string): void {
    for (let at = 0; at < text.length; at += 1) {
      const code = text.charCodeAt(at)
      if (code === 0xff_fd) this.damaged += 1
      else if (code > 0x7f) this.#whole += 1
    }
  }
}

/** UTF-16 by its byte order mark, or by the zero bytes of ASCII text. */
function wideEncoding([one, two, three, four]: Uint8Array): string | undefined {
  if (one === 0xff && two === 0xfe) return 'utf-16le'
  if (one === 0xfe && two === 0xff) return 'utf-16be'
  if (one && three && two === 0 && four === 0) return 'utf-16le'
  return two && four && one === 0 && three === 0 ? 'utf-16be' : undefined
}

function knownEncoding(label: string): string | undefined {
  const plain = label.trim().toLowerCase()
  const [, page = ''] = /^(?:cp|ms|ibm|windows)[-_]?(\d+)$/.exec(plain) ?? []
  try {
    return new TextDecoder(CODE_PAGES[page] ?? plain).encoding
  } catch {
    return undefined
  }
}
