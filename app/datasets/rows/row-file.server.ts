import { type FileHandle, open } from 'node:fs/promises'
import { setImmediate as turn } from 'node:timers/promises'
import { promisify } from 'node:util'
import { constants, zstdCompress, zstdDecompressSync } from 'node:zlib'

/**
 * The rows of a version as JSON texts, in file order, in compressed blocks of equally many rows. Each row ends with a comma and a line
 * feed; the text of a row has no line feed of its own. After the blocks come the offset of each block and of their end (8 bytes each),
 * then the footer. So a page costs the same at any place of a file of any size.
 */
export const SEPARATOR = ',\n'
const LINE_FEED = 10
const MARK = 'WNROWS1\n'
const NUMBER_BYTES = 8
/** The number of rows, the rows of a block, the place of the offsets, the mark. */
const FOOTER_BYTES = 4 * NUMBER_BYTES
/** Blocks that are read and unpacked without a pause: less than a millisecond. */
const AT_ONCE = 16
/** Compressing harder takes three times as long for two percent. */
const PACKING = { params: { [constants.ZSTD_c_compressionLevel]: -1, [constants.ZSTD_c_checksumFlag]: 1 } }
const UNPACKED_BYTES = 64 * 1024

const compress = promisify(zstdCompress)

type Shape = { blockRows: number; offset: (block: number, handle: FileHandle) => number | Promise<number> }

/** Opened for each read, so it can be deleted at any time. `rows` is the number of rows that can be read. */
export class RowFile {
  rows: number
  readonly #file: string
  readonly #shape: Shape

  constructor(file: string, shape: Shape, rows = 0) {
    this.#file = file
    this.#shape = shape
    this.rows = rows
  }

  /** The rows from one position up to another, which is excluded, separated by a comma and a line feed. */
  async read(from: number, to: number): Promise<Buffer> {
    const { blockRows } = this.#shape
    const [first, end] = [Math.floor(from / blockRows), Math.floor((to - 1) / blockRows) + 1]
    const parts: Buffer[] = []
    await using handle = await open(this.#file, 'r')
    for (let block = first; block < end; block += AT_ONCE) {
      if (block > first) await turn()
      parts.push(await this.#unpacked(handle, block, Math.min(block + AT_ONCE, end)))
    }
    const text = parts.length === 1 && parts[0] ? parts[0] : Buffer.concat(parts)
    const rest = Math.min(end * blockRows, this.rows) - to
    return text.subarray(afterRows(text, from - first * blockRows), beforeRows(text, rest) - SEPARATOR.length)
  }

  /** Rows at any positions, in their order, separated as above. */
  async pick(places: readonly number[]): Promise<Buffer> {
    const { blockRows } = this.#shape
    const found = new Map<number, Buffer>()
    const blocks = Map.groupBy(places, (place) => Math.floor(place / blockRows))
    await using handle = await open(this.#file, 'r')
    const read = async ([block, wanted]: [number, number[]]) => {
      const text = await this.#unpacked(handle, block, block + 1)
      for (const place of wanted) {
        const start = afterRows(text, place - block * blockRows)
        found.set(place, Buffer.from(text.subarray(start, text.indexOf(LINE_FEED, start) + 1)))
      }
    }
    await Promise.all([...blocks].map(read))
    return Buffer.concat(places.flatMap((place) => found.get(place) ?? [])).subarray(0, -SEPARATOR.length)
  }

  async #unpacked(handle: FileHandle, from: number, to: number): Promise<Buffer> {
    const [start, end] = await Promise.all([this.#shape.offset(from, handle), this.#shape.offset(to, handle)])
    return zstdDecompressSync(await bytesOf(handle, start, end - start), { chunkSize: UNPACKED_BYTES * (to - from) })
  }
}

/** The place after so many rows. */
function afterRows(text: Buffer, rows: number): number {
  let at = 0
  for (let row = 0; row < rows; row += 1) at = text.indexOf(LINE_FEED, at) + 1
  return at
}

/** The place before so many rows of the end. */
function beforeRows(text: Buffer, rows: number): number {
  let end = text.length
  for (let row = 0; row < rows; row += 1) end = text.lastIndexOf(LINE_FEED, end - SEPARATOR.length) + 1
  return end
}

async function bytesOf(handle: FileHandle, start: number, length: number): Promise<Buffer> {
  const bytes = Buffer.allocUnsafe(length)
  const { bytesRead } = await handle.read(bytes, 0, length, start)
  if (bytesRead !== length) throw new Error('A file of rows is too short.')
  return bytes
}

/** A finished file. Throws if it is none. */
export async function openRowFile(file: string): Promise<RowFile> {
  await using handle = await open(file, 'r')
  const { size } = await handle.stat()
  const footer = await bytesOf(handle, size - FOOTER_BYTES, FOOTER_BYTES)
  if (footer.toString('latin1', 3 * NUMBER_BYTES) !== MARK) throw new Error('This is no file of rows.')
  const [rows, blockRows, offsetsAt] = [0, 1, 2].map((at) => Number(footer.readBigUInt64LE(at * NUMBER_BYTES)))
  const offset = storedOffsets(offsetsAt ?? 0, size - FOOTER_BYTES)
  return new RowFile(file, { blockRows: blockRows ?? 1, offset }, rows)
}

/** 4,096 offsets are read at a time, and a few such parts are kept. */
const PART_BYTES = 4096 * NUMBER_BYTES
const MOST_PARTS = 16

function storedOffsets(start: number, end: number): Shape['offset'] {
  const parts = new Map<number, Buffer>()
  return async (block, handle) => {
    const at = block * NUMBER_BYTES
    const number = Math.floor(at / PART_BYTES)
    const from = start + number * PART_BYTES
    const part = parts.get(number) ?? (await bytesOf(handle, from, Math.min(PART_BYTES, end - from)))
    const [oldest] = parts.keys()
    if (oldest !== undefined && parts.size >= MOST_PARTS && !parts.has(number)) parts.delete(oldest)
    parts.set(number, part)
    return Number(part.readBigUInt64LE(at % PART_BYTES))
  }
}

/**
 * Writes a file from its blocks: each a text of rows, separated as above, all but the last with `blockRows` rows. Rows can be read while
 * others are still being written.
 */
export async function writeRowFile(
  file: string,
  { blockRows, rows }: { blockRows: number; rows: number },
  blocks: AsyncIterable<string>,
  begun: (growing: RowFile) => void,
): Promise<void> {
  await using handle = await open(file, 'wx', 0o600)
  const offsets = [0]
  const growing = new RowFile(file, { blockRows, offset: (block) => offsets[block] ?? Number.NaN })
  begun(growing)
  let end = 0
  for await (const text of blocks) {
    const packed = await compress(Buffer.from(`${text}${SEPARATOR}`), PACKING)
    await handle.write(packed, 0, packed.length, end)
    end += packed.length
    offsets.push(end)
    growing.rows = Math.min(growing.rows + blockRows, rows)
  }
  if (growing.rows !== rows || offsets.length - 1 !== Math.ceil(rows / blockRows)) throw new Error('A file of rows is not complete.')
  const tail = tailOf(offsets, rows, blockRows)
  await handle.write(tail, 0, tail.length, end)
}

function tailOf(offsets: readonly number[], rows: number, blockRows: number): Buffer {
  const numbers = [...offsets, rows, blockRows, offsets.at(-1) ?? 0]
  const bytes = Buffer.alloc(numbers.length * NUMBER_BYTES)
  for (const [at, value] of numbers.entries()) bytes.writeBigUInt64LE(BigInt(value), at * NUMBER_BYTES)
  return Buffer.concat([bytes, Buffer.from(MARK, 'latin1')])
}
