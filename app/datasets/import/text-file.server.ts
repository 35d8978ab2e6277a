import { isUtf8 } from 'node:buffer'
import { createReadStream, createWriteStream } from 'node:fs'
import { open } from 'node:fs/promises'
import path from 'node:path'
import { pipeline } from 'node:stream/promises'
import { Unreadable } from './unreadable.ts'

const CHUNK = 1024 * 1024
/** In bytes. A table's lines have a few thousand; this much is not a line. */
export const LONGEST_TEXT_LINE = 4 * CHUNK

type Encoding = 'utf-8' | 'utf-16le' | 'utf-16be' | 'windows-1252'

/** The file as UTF-8 without a byte order mark: itself, or a converted copy in the folder. `note` names the original encoding. */
export async function asUtf8(source: string, folder: string): Promise<{ file: string; note?: string }> {
  const start = await startOf(source)
  const encoding = wideEncoding(start) ?? (await narrowEncoding(source))
  if (encoding === 'utf-8' && !start.startsWith('\u00ef\u00bb\u00bf')) return { file: source }
  const file = path.join(folder, 'utf-8.txt')
  await pipeline(
    createReadStream(source, { highWaterMark: CHUNK }),
    (chunks) => decoded(chunks, encoding),
    createWriteStream(file, { mode: 0o600 }),
  )
  return encoding === 'utf-8' ? { file } : { file, note: encoding.startsWith('utf-16') ? 'UTF-16' : 'Latin-1' }
}

/** The first or last bytes of a file, one character each. */
export async function startOf(file: string, { fromEnd = false } = {}): Promise<string> {
  await using handle = await open(file)
  const from = fromEnd ? Math.max(0, (await handle.stat()).size - 1024) : 0
  const { buffer, bytesRead } = await handle.read(Buffer.alloc(1024), 0, 1024, from)
  return buffer.toString('latin1', 0, bytesRead)
}

/** Detects UTF-16 by its byte order mark, or by the zero bytes of ASCII text. */
function wideEncoding(start: string): Encoding | undefined {
  if (start.startsWith('\u00ff\u00fe')) return 'utf-16le'
  if (start.startsWith('\u00fe\u00ff')) return 'utf-16be'
  if (/^[^\0]\0[^\0]\0/.test(start)) return 'utf-16le'
  return /^\0[^\0]\0[^\0]/.test(start) ? 'utf-16be' : undefined
}

/** Reads the whole file once: invalid UTF-8 is treated as Windows-1252, which includes Latin-1. */
async function narrowEncoding(source: string): Promise<Encoding> {
  let encoding: Encoding = 'utf-8'
  let rest: Buffer = Buffer.alloc(0)
  let line = 0
  for await (const chunk of chunksOf(createReadStream(source, { highWaterMark: CHUNK }))) {
    if (chunk.includes(0)) throw new Unreadable('This file contains NUL characters, so it is not text. Export it again as CSV in UTF-8.')
    line = lineAfter(line, chunk)
    if (encoding !== 'utf-8') continue
    const bytes = rest.length > 0 ? Buffer.concat([rest, chunk]) : chunk
    const whole = lastWhole(bytes)
    if (isUtf8(bytes.subarray(0, whole))) rest = bytes.subarray(whole)
    else encoding = 'windows-1252'
  }
  return rest.length > 0 ? 'windows-1252' : encoding
}

/** The length of the line at the end of a chunk, including its part in earlier chunks. */
function lineAfter(before: number, chunk: Buffer): number {
  const [first, last] = [firstBreak(chunk), Math.max(chunk.lastIndexOf(10), chunk.lastIndexOf(13))]
  const open = before + (first === -1 ? chunk.length : first)
  if (open > LONGEST_TEXT_LINE)
    throw new Unreadable(`A line of this file is longer than ${LONGEST_TEXT_LINE / CHUNK} MB, so it is not a table.`)
  return first === -1 ? open : chunk.length - last - 1
}

function firstBreak(chunk: Buffer): number {
  const found = [chunk.indexOf(10), chunk.indexOf(13)].filter((at) => at >= 0)
  return found.length > 0 ? Math.min(...found) : -1
}

/** Where a character that may continue in the next chunk begins. */
function lastWhole(bytes: Buffer): number {
  for (let at = bytes.length - 1; at >= Math.max(0, bytes.length - 3); at -= 1) {
    const byte = bytes[at] ?? 0
    if (byte < 0x80) return bytes.length
    if (byte >= 0xc0) return at
  }
  return bytes.length
}

async function* decoded(chunks: AsyncIterable<unknown>, encoding: Encoding): AsyncIterable<Buffer> {
  const decoder = new TextDecoder(encoding, { fatal: encoding !== 'windows-1252' })
  let line = 0
  const checked = (text: string) => {
    const bytes = Buffer.from(text)
    if (bytes.includes(0)) throw new Unreadable('This file contains NUL characters, so it is not text. Export it again as CSV in UTF-8.')
    line = lineAfter(line, bytes)
    return bytes
  }
  try {
    for await (const chunk of chunksOf(chunks)) yield checked(decoder.decode(chunk, { stream: true }))
    yield checked(decoder.decode())
  } catch (error) {
    if (error instanceof TypeError) throw new Unreadable('The encoding of this file is invalid. Export it again in UTF-8.')
    throw error
  }
}

async function* chunksOf(stream: AsyncIterable<unknown>): AsyncIterable<Buffer> {
  for await (const chunk of stream) if (Buffer.isBuffer(chunk)) yield chunk
}
