import { createWriteStream } from 'node:fs'
import { type FileHandle, open } from 'node:fs/promises'
import { pipeline } from 'node:stream/promises'
import { promisify } from 'node:util'
import { crc32, gunzipSync, gzip } from 'node:zlib'
import { LRUCache } from 'lru-cache'
import { asLines, type RowLines } from './row-lines.ts'

/** A block has `blockRows` rows; the last one may have fewer. */
export type RowFileShape = { rows: number; blockRows: number }

const MAGIC = 'WNROWS3'
/** Where a block ends, and its CRC-32. */
const ENTRY_BYTES = 12
/** Packing harder takes twice as long for a seventh of the size. */
const LEVEL = 4

const pack = promisify(gzip)

/** In bytes; the index of the largest dataset that can be imported has 60 MB. The key identifies the file: another process may replace it. */
const indexes = new LRUCache<string, Buffer>({
  maxSize: 64 * 2 ** 20,
  sizeCalculation: ({ length }) => Math.max(length, 1),
  ttl: 60_000,
})

/**
 * All rows of a version in file order: blocks, an index and a footer. A block is one gzip member with JSON Lines. The index has for each
 * block its end in the file (u64) and its CRC-32 (u32), the footer the number of rows (u64), the rows of a block (u32) and the magic;
 * numbers are little-endian. So a page costs the same at any place of a file of any size.
 */
export class RowFile implements AsyncDisposable {
  readonly #handle: FileHandle
  readonly #shape: RowFileShape
  readonly #index: Buffer

  constructor(handle: FileHandle, shape: RowFileShape, index: Buffer) {
    this.#handle = handle
    this.#shape = shape
    this.#index = index
  }

  /** The rows from one position up to another, which is excluded. Whole blocks are unpacked when the lines are read. */
  async read(from: number, to: number): Promise<RowLines> {
    const { rows, blockRows } = this.#shape
    const first = Math.floor(from / blockRows)
    const blocks = await this.#blocks(first, Math.ceil(to / blockRows))
    const parts = blocks.map((block, at) => {
      const start = (first + at) * blockRows
      const isWhole = from <= start && to >= Math.min(start + blockRows, rows)
      return isWhole ? wholeBlock(block) : asLines(rowsOf(block).slice(Math.max(from - start, 0), to - start))
    })
    return {
      bytes: parts.reduce((sum, { bytes }) => sum + bytes, 0),
      *pieces() {
        for (const part of parts) yield* part.pieces()
      },
    }
  }

  /** Rows at any positions, in their order. */
  async pick(places: readonly number[]): Promise<RowLines> {
    const { blockRows } = this.#shape
    const rows = new Map<number, string>()
    const blocks = [...Map.groupBy(places, (place) => Math.floor(place / blockRows))]
    await Promise.all(
      blocks.map(async ([number, wanted]) => {
        const found = (await this.#blocks(number, number + 1)).flatMap(rowsOf)
        for (const place of wanted) rows.set(place, ownText(found[place - number * blockRows]))
      }),
    )
    return asLines(places.map((place) => rows.get(place) ?? ''))
  }

  /** Blocks that follow one another, compared with their checksums. */
  async #blocks(from: number, to: number): Promise<Buffer[]> {
    const [begin, end] = [this.#endOf(from - 1), this.#endOf(to - 1)]
    if (end > this.#endOf(this.#index.length / ENTRY_BYTES - 1)) throw new Error('A file of rows is damaged.')
    const bytes = await bytesOf(this.#handle, begin, end - begin)
    return Array.from({ length: to - from }, (_, at) => {
      const block = bytes.subarray(this.#endOf(from + at - 1) - begin, this.#endOf(from + at) - begin)
      if (crc32(block) !== this.#index.readUInt32LE((from + at) * ENTRY_BYTES + 8)) throw new Error('A file of rows is damaged.')
      return block
    })
  }

  #endOf(block: number): number {
    return block < 0 ? 0 : Number(this.#index.readBigUInt64LE(block * ENTRY_BYTES))
  }

  async [Symbol.asyncDispose]() {
    await this.#handle.close()
  }
}

/** The last four bytes of a gzip member are the length of its text. */
function wholeBlock(block: Buffer): RowLines {
  return { bytes: block.readUInt32LE(block.length - 4), pieces: () => [unpacked(block)] }
}

function rowsOf(block: Buffer): string[] {
  return unpacked(block).slice(0, -1).split('\n')
}

/** A part of a string holds the whole string in memory: a page of rows from many blocks would hold all of them. */
function ownText(part = ''): string {
  return Buffer.from(part).toString()
}

function unpacked(block: Buffer): string {
  return gunzipSync(block).toString()
}

async function bytesOf(handle: FileHandle, start: number, length: number): Promise<Buffer> {
  const bytes = Buffer.allocUnsafe(length)
  const { bytesRead } = await handle.read(bytes, 0, length, start)
  if (bytesRead !== length) throw new Error('A file of rows is too short.')
  return bytes
}

/** Opens a file for one request. Throws if it is none of this shape. */
export async function openRowFile(place: string, shape: RowFileShape): Promise<RowFile> {
  const handle = await open(place, 'r')
  try {
    const { size, ino, mtimeMs } = await handle.stat()
    const key = [place, ino, size, mtimeMs, shape.rows, shape.blockRows].join(' ')
    const index = indexes.get(key) ?? (await readIndex(handle, size, shape))
    if (!indexes.has(key)) indexes.set(key, index)
    return new RowFile(handle, shape, index)
  } catch (error) {
    await handle.close()
    throw error
  }
}

/** The last block ends where the index begins, so the size of the file fits as well. */
async function readIndex(handle: FileHandle, size: number, shape: RowFileShape): Promise<Buffer> {
  const footer = footerOf(shape)
  const length = indexBytes(shape)
  const start = size - length - footer.length
  if (start < 0) throw new Error('A file of rows is too short.')
  const bytes = await bytesOf(handle, start, size - start)
  const index = bytes.subarray(0, length)
  const end = length === 0 ? 0 : Number(index.readBigUInt64LE(length - ENTRY_BYTES))
  if (end !== start || !bytes.subarray(length).equals(footer)) throw new Error('This is no file of these rows.')
  return index
}

/** Writes a file from the texts of its blocks, one line per row. It is read only after it is complete and renamed. */
export async function writeRowFile(place: string, shape: RowFileShape, blocks: AsyncIterable<string>): Promise<void> {
  await pipeline(partsOf(shape, blocks), createWriteStream(place, { flags: 'wx', mode: 0o600 }))
}

async function* partsOf(shape: RowFileShape, blocks: AsyncIterable<string>): AsyncGenerator<Buffer> {
  const index = Buffer.alloc(indexBytes(shape))
  let [end, at] = [0, 0]
  for await (const text of blocks) {
    const block = await pack(text, { level: LEVEL })
    end += block.length
    at = index.writeBigUInt64LE(BigInt(end), at)
    at = index.writeUInt32LE(crc32(block), at)
    yield block
  }
  if (at !== index.length) throw new Error('A file of rows is not complete.')
  yield index
  yield footerOf(shape)
}

function indexBytes({ rows, blockRows }: RowFileShape): number {
  return Math.ceil(rows / blockRows) * ENTRY_BYTES
}

function footerOf({ rows, blockRows }: RowFileShape): Buffer {
  const footer = Buffer.alloc(12 + MAGIC.length)
  footer.writeBigUInt64LE(BigInt(rows))
  footer.writeUInt32LE(blockRows, 8)
  footer.write(MAGIC, 12, 'latin1')
  return footer
}
