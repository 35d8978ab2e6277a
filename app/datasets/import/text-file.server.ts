import { createReadStream, createWriteStream } from 'node:fs'
import { open } from 'node:fs/promises'
import path from 'node:path'
import { pipeline } from 'node:stream/promises'
import { foreignEncodingOf, foreignText } from '#app/platform/text/foreign-text.ts'
import { countOf } from '#app/ui/amount.ts'
import { Unreadable } from './unreadable.ts'

const CHUNK = 1024 * 1024
/** In bytes. A table's lines have a few thousand; this much is not a line. */
export const LONGEST_TEXT_LINE = 4 * CHUNK
const MARK = '\u00ef\u00bb\u00bf'

/** The file as UTF-8 without a byte order mark: itself, or a converted copy in the folder. `notes` tell what its bytes were. */
export async function asUtf8(source: string, folder: string, { hasLines = true } = {}): Promise<{ file: string; notes: string[] }> {
  const { encoding, damaged } = await foreignEncodingOf(chunksOf(createReadStream(source, { highWaterMark: CHUNK })))
  const start = await startOf(source)
  const isWide = encoding.startsWith('utf-16')
  if (encoding === 'utf-8' && damaged === 0 && !start.startsWith(MARK)) {
    await checkBytes(source, hasLines)
    return { file: source, notes: [] }
  }
  const file = path.join(folder, 'utf-8.txt')
  await pipeline(
    createReadStream(source, { highWaterMark: CHUNK }),
    (chunks) => checked(foreignText(chunksOf(chunks), encoding), { hasLines, isWide }),
    createWriteStream(file, { mode: 0o600 }),
  )
  if (encoding !== 'utf-8') return { file, notes: [`The file was read as ${isWide ? 'UTF-16' : 'Latin-1'}.`] }
  return {
    file,
    notes: damaged > 0 ? [`${countOf(damaged, 'character is', 'characters are')} not valid UTF-8. They were replaced by �.`] : [],
  }
}

/** The first bytes of a file, one character each. */
export async function startOf(file: string): Promise<string> {
  await using handle = await open(file)
  const { buffer, bytesRead } = await handle.read(Buffer.alloc(1024), 0, 1024, 0)
  return buffer.toString('latin1', 0, bytesRead)
}

async function checkBytes(source: string, hasLines: boolean): Promise<void> {
  let line = 0
  for await (const chunk of chunksOf(createReadStream(source, { highWaterMark: CHUNK }))) {
    checkNul(chunk)
    if (hasLines) line = lineAfter(line, chunk)
  }
}

async function* checked(texts: AsyncIterable<string>, { hasLines, isWide }: { hasLines: boolean; isWide: boolean }): AsyncIterable<Buffer> {
  let line = 0
  for await (const text of texts) {
    if (isWide && text.includes('\uFFFD')) throw new Unreadable('The encoding of this file is invalid. Export it again in UTF-8.')
    const bytes = Buffer.from(text)
    checkNul(bytes)
    if (hasLines) line = lineAfter(line, bytes)
    yield bytes
  }
}

function checkNul(bytes: Buffer): void {
  if (bytes.includes(0)) throw new Unreadable('This file contains NUL characters, so it is not text. Export it again as CSV in UTF-8.')
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

/** The chunks of a stream of bytes. */
export async function* chunksOf(stream: AsyncIterable<unknown>): AsyncIterable<Buffer> {
  for await (const chunk of stream) if (Buffer.isBuffer(chunk)) yield chunk
}
