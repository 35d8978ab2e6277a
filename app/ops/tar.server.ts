import type { Readable } from 'node:stream'

/** A file in an archive: its name with slashes, its size in bytes and its content. */
export type Entry = { name: string; size: number; content: AsyncIterable<Buffer> }

const BLOCK = 512
const NAME = 100
const PREFIX = 155
const MOST_PADDING = 1024 * 1024

/** Writes the ustar format, which every `tar` reads. `count` receives the bytes of the content. */
export async function* packTar(
  entries: AsyncIterable<Entry> | Iterable<Entry>,
  count: (bytes: number) => void = () => undefined,
): AsyncGenerator<Buffer> {
  for await (const { name, size, content } of entries) {
    yield headerOf(name, size)
    let written = 0
    for await (const chunk of content) {
      written += chunk.length
      count(chunk.length)
      yield chunk
    }
    if (written !== size) throw new Error(`${name} changed while it was written.`)
    yield Buffer.alloc(paddingAfter(size))
  }
  yield Buffer.alloc(2 * BLOCK)
}

/** Reads an archive that `packTar` wrote. Consume the content of an entry before the next one. */
export async function* unpackTar(stream: Readable): AsyncGenerator<Entry> {
  const reader = readerOf(stream)
  for (;;) {
    const header = await reader.take(BLOCK)
    if (isZero(header)) return reader.expectEnd()
    const size = Number.parseInt(textOf(header, 124, 12), 8)
    if (!Number.isSafeInteger(size) || checksumOf(header) !== Number.parseInt(textOf(header, 148, 8), 8)) {
      throw new Error('A header of the archive is damaged.')
    }
    const prefix = textOf(header, 345, PREFIX)
    const name = (prefix && `${prefix}/`) + textOf(header, 0, NAME)
    yield { name, size, content: reader.stream(size) }
    await reader.take(paddingAfter(size))
  }
}

function isZero(bytes: Buffer): boolean {
  return bytes.every((byte) => byte === 0)
}

function headerOf(name: string, size: number): Buffer {
  const header = Buffer.alloc(BLOCK)
  const [prefix, rest] = splitName(name)
  header.write(rest, 0)
  header.write('0000600\0', 100)
  header.write('0000000\0', 108)
  header.write('0000000\0', 116)
  header.write(`${size.toString(8).padStart(11, '0')}\0`, 124)
  header.write('00000000000\0', 136)
  header.write('0', 156)
  header.write('ustar\x0000', 257)
  header.write(prefix, 345)
  header.write(`${checksumOf(header).toString(8).padStart(6, '0')}\0 `, 148)
  return header
}

/** A long name is split at a slash into two fields. */
function splitName(name: string): [prefix: string, rest: string] {
  if (Buffer.byteLength(name) <= NAME) return ['', name]
  const at = name.indexOf('/', Buffer.byteLength(name) - NAME - 1)
  if (at < 0 || at > PREFIX) throw new Error(`${name} is too long a name for the archive.`)
  return [name.slice(0, at), name.slice(at + 1)]
}

/** The byte sum of the header, with the checksum field as spaces. */
function checksumOf(header: Buffer): number {
  return header.reduce((sum, byte, at) => sum + (at >= 148 && at < 156 ? 0x20 : byte), 0)
}

function textOf(header: Buffer, start: number, length: number): string {
  const field = header.subarray(start, start + length)
  const end = field.indexOf(0)
  return field
    .subarray(0, end < 0 ? length : end)
    .toString()
    .trim()
}

function paddingAfter(size: number): number {
  return (BLOCK - (size % BLOCK)) % BLOCK
}

/** Reads a stream in pieces of requested sizes. */
function readerOf(stream: Readable) {
  const chunks: AsyncIterator<Buffer> = stream[Symbol.asyncIterator]()
  let held: Buffer = Buffer.alloc(0)
  async function* pieces(size: number): AsyncGenerator<Buffer> {
    let missing = size
    while (missing > 0) {
      if (held.length === 0) held = await next(chunks)
      const piece = held.subarray(0, missing)
      held = held.subarray(piece.length)
      missing -= piece.length
      yield piece
    }
  }
  return {
    stream: pieces,
    take: async (size: number) => Buffer.concat(await Array.fromAsync(pieces(size))),
    /** Other programs pad the last block with zeros. Any other byte would be a second archive. */
    async expectEnd() {
      let zeros = 0
      for (let rest: Buffer | undefined = held; rest; rest = await chunks.next().then(({ value }) => value)) {
        zeros += rest.length
        if (!isZero(rest) || zeros > MOST_PADDING) throw new Error('Something follows the end of the archive.')
      }
    },
  }
}

async function next(chunks: AsyncIterator<Buffer>): Promise<Buffer> {
  const { done, value } = await chunks.next()
  if (done) throw new Error('The archive ends too early.')
  return value
}
