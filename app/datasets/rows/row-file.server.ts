import { type FileHandle, open } from 'node:fs/promises'
import { setImmediate as turn } from 'node:timers/promises'
import { promisify } from 'node:util'
import { constants, zstdCompress, zstdDecompressSync } from 'node:zlib'

/**
 * The rows of a version as JSON texts, in file order, in compressed blocks of equally many rows. Each row ends with a comma and a line
 * feed; the text of a row has no line feed of its own. After the blocks come the places of each block and of their end, in the file and in
 * the unpacked text (8 bytes each), then the footer. So a page costs the same at any place of a file of any size.
 */
export const SEPARATOR = ',\n'
const LINE_FEED = 10
const MARK = 'WNROWS1\n'
const NUMBER_BYTES = 8
/** The number of rows, the rows of a block, where the places begin, the mark. */
const FOOTER_BYTES = 4 * NUMBER_BYTES
/** Blocks that are read and unpacked without a pause: less than a millisecond. */
const AT_ONCE = 16
/** Compressing harder takes three times as long for two percent. */
const PACKING = { params: { [constants.ZSTD_c_compressionLevel]: -1, [constants.ZSTD_c_checksumFlag]: 1 } }
/** With exactly enough room, the unpacking would ask for more. */
const SPARE_BYTES = 64

const compress = promisify(zstdCompress)

type Place = { packed: number; unpacked: number }
type Shape = { blockRows: number; placeOf: (block: number, handle: FileHandle) => Place | Promise<Place> }

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

  /** The rows from one position up to another, which is excluded, in several parts of one text. */
  async read(from: number, to: number): Promise<Buffer[]> {
    const { blockRows } = this.#shape
    const [first, end] = [Math.floor(from / blockRows), Math.floor((to - 1) / blockRows) + 1]
    const parts: Buffer[] = []
    await using handle = await open(this.#file, 'r')
    for (let block = first; block < end; block += AT_ONCE) {
      if (block > first) await turn()
      parts.push(await this.#unpacked(handle, block, Math.min(block + AT_ONCE, end)))
    }
    cutEnd(parts, Math.min(end * blockRows, this.rows) - to)
    cutStart(parts, from - first * blockRows)
    return parts
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
    const [start, end] = await Promise.all([this.#shape.placeOf(from, handle), this.#shape.placeOf(to, handle)])
    const bytes = await bytesOf(handle, start.packed, end.packed - start.packed)
    // Memory beyond what is needed brings the next garbage collection, which costs more than a page.
    return zstdDecompressSync(bytes, { chunkSize: end.unpacked - start.unpacked + SPARE_BYTES })
  }
}

function cutStart(parts: Buffer[], rows: number) {
  const [first] = parts
  if (first) parts[0] = first.subarray(afterRows(first, rows))
}

/** The last row has no separator. */
function cutEnd(parts: Buffer[], rows: number) {
  const last = parts.at(-1)
  if (last) parts[parts.length - 1] = last.subarray(0, beforeRows(last, rows) - SEPARATOR.length)
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
  const [rows, blockRows, placesAt] = [0, 1, 2].map((at) => Number(footer.readBigUInt64LE(at * NUMBER_BYTES)))
  const placeOf = storedPlaces(placesAt ?? 0, size - FOOTER_BYTES)
  return new RowFile(file, { blockRows: blockRows ?? 1, placeOf }, rows)
}

const PLACE_BYTES = 2 * NUMBER_BYTES
/** 2,048 places are read at a time, and a few such parts are kept. */
const PART_BYTES = 2048 * PLACE_BYTES
const MOST_PARTS = 16

function storedPlaces(start: number, end: number): Shape['placeOf'] {
  const parts = new Map<number, Buffer>()
  return async (block, handle) => {
    const at = block * PLACE_BYTES
    const number = Math.floor(at / PART_BYTES)
    const from = start + number * PART_BYTES
    const part = parts.get(number) ?? (await bytesOf(handle, from, Math.min(PART_BYTES, end - from)))
    const [oldest] = parts.keys()
    if (oldest !== undefined && parts.size >= MOST_PARTS && !parts.has(number)) parts.delete(oldest)
    parts.set(number, part)
    const [packed, unpacked] = [0, NUMBER_BYTES].map((beside) => Number(part.readBigUInt64LE((at % PART_BYTES) + beside)))
    return { packed: packed ?? 0, unpacked: unpacked ?? 0 }
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
  const places: Place[] = [{ packed: 0, unpacked: 0 }]
  const placeOf = (block: number) => places[block] ?? { packed: Number.NaN, unpacked: Number.NaN }
  const growing = new RowFile(file, { blockRows, placeOf })
  begun(growing)
  let [packed, unpacked] = [0, 0]
  for await (const block of blocks) {
    const text = Buffer.from(`${block}${SEPARATOR}`)
    const bytes = await compress(text, PACKING)
    await handle.write(bytes, 0, bytes.length, packed)
    packed += bytes.length
    unpacked += text.length
    places.push({ packed, unpacked })
    growing.rows = Math.min(growing.rows + blockRows, rows)
  }
  if (growing.rows !== rows || places.length - 1 !== Math.ceil(rows / blockRows)) throw new Error('A file of rows is not complete.')
  const tail = tailOf(places, [rows, blockRows, packed])
  await handle.write(tail, 0, tail.length, packed)
}

function tailOf(places: readonly Place[], footer: readonly number[]): Buffer {
  const bytes = Buffer.alloc(places.length * PLACE_BYTES + FOOTER_BYTES)
  let at = 0
  const add = (value: number) => (at = bytes.writeBigUInt64LE(BigInt(value), at))
  for (const { packed, unpacked } of places) {
    add(packed)
    add(unpacked)
  }
  for (const value of footer) add(value)
  bytes.write(MARK, at, 'latin1')
  return bytes
}
