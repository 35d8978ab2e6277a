import { type FileHandle, open } from 'node:fs/promises'
import { promisify } from 'node:util'
import { constants, crc32, deflateRaw } from 'node:zlib'
import { asPlainDeflate, type Block, type PackedBlocks, PackedText, type BlockPlace, release, unpack } from './packed-text.server.ts'
import { SharedFile } from './shared-file.server.ts'

/**
 * The rows of a version as JSON texts, in file order, in blocks of equally many rows. Rows are separated by a comma and a line feed; the
 * text of a row has no line feed of its own. Each block is deflate without an end, and so are the separators between them: any blocks
 * that follow one another, with an end, are one stream. After the blocks come the places of their ends, then the footer. So a page costs
 * the same at any place of a file of any size.
 */
export const SEPARATOR = ',\n'
const SEPARATOR_TEXT = Buffer.from(SEPARATOR)
const LINE_FEED = 10
const MARK = 'WNROWS2\n'
const NUMBER_BYTES = 8
/** The number of rows, the rows of a block, where the places begin, the mark. */
const FOOTER_BYTES = 4 * NUMBER_BYTES
/** Packing harder takes twice as long for a seventh of the size. */
const PACKING = { level: 4, finishFlush: constants.Z_SYNC_FLUSH }
const PACKED_SEPARATOR = asPlainDeflate(SEPARATOR_TEXT)

const pack = promisify(deflateRaw)

type EndOf = (block: number, handle: FileHandle) => BlockPlace | Promise<BlockPlace>
type Shape = { blockRows: number; endOf: EndOf }

const nothing = Buffer.alloc(0)
const noBlocks: PackedBlocks = { bytes: nothing, blocks: [] }
const BEGINNING: BlockPlace = { packed: 0, packedChecksum: 0, text: 0, textChecksum: 0 }

/** It can be deleted at any time. `rows` is the number of rows that can be read. */
export class RowFile {
  rows: number
  readonly #file: SharedFile
  readonly #shape: Shape

  constructor(place: string, shape: Shape, rows = 0) {
    this.#file = new SharedFile(place)
    this.#shape = shape
    this.rows = rows
  }

  /** The rows from one position up to another, which is excluded. */
  async read(from: number, to: number): Promise<PackedText> {
    const { blockRows } = this.#shape
    const [first, end] = [Math.floor(from / blockRows), Math.floor((to - 1) / blockRows) + 1]
    const found = await this.#file.read((handle) => this.#blocks(handle, first, end))
    const [skipped, rest] = [from - first * blockRows, Math.min(end * blockRows, this.rows) - to]
    if (skipped + rest === 0) return new PackedText(nothing, found, nothing)
    // Memory of rows that are not sent would bring the next garbage collection, which costs more than a page.
    if (end - first === 1) {
      const rows = copiedRows(found, 0, skipped, to - from)
      release(found.bytes)
      return new PackedText(rows, noBlocks, nothing)
    }
    const middle = copyOf(someOf(found, skipped > 0 ? 1 : 0, end - first - (rest > 0 ? 1 : 0)))
    const head = skipped > 0 ? copiedRows(found, 0, skipped, blockRows - skipped, { after: SEPARATOR_TEXT }) : nothing
    const before = middle.blocks.length > 0 ? SEPARATOR_TEXT : nothing
    const tail = rest > 0 ? copiedRows(found, -1, 0, to - (end - 1) * blockRows, { before }) : nothing
    release(found.bytes)
    return new PackedText(head, middle, tail)
  }

  /** Rows at any positions, in their order, separated as above. */
  async pick(places: readonly number[]): Promise<Buffer> {
    const { blockRows } = this.#shape
    const found = new Map<number, Buffer>()
    const read = async (handle: FileHandle, block: number, wanted: readonly number[]) => {
      const packed = await this.#blocks(handle, block, block + 1)
      const text = unpackedBlock(packed, 0)
      for (const place of wanted) found.set(place, Buffer.from(rowsOf(text, place - block * blockRows, 1)))
      release(text)
      release(packed.bytes)
    }
    const blocks = [...Map.groupBy(places, (place) => Math.floor(place / blockRows))]
    await this.#file.read((handle) => Promise.all(blocks.map(([block, wanted]) => read(handle, block, wanted))))
    const rows = places.flatMap((place) => [SEPARATOR_TEXT, found.get(place) ?? nothing])
    return Buffer.concat(rows.slice(1))
  }

  /** Blocks that follow one another. They may be sent as they are stored, so their checksum is compared. */
  async #blocks(handle: FileHandle, from: number, to: number): Promise<PackedBlocks> {
    const blocks: Block[] = []
    let start = from > 0 ? afterSeparator(await this.#shape.endOf(from - 1, handle)) : BEGINNING
    for (let block = from; block < to; block += 1) {
      const end = await this.#shape.endOf(block, handle)
      blocks.push({ start, end })
      start = afterSeparator(end)
    }
    const [first, last] = [blocks[0]?.start ?? BEGINNING, blocks.at(-1)?.end ?? BEGINNING]
    const bytes = await bytesOf(handle, first.packed, last.packed - first.packed)
    if (crc32(bytes, first.packedChecksum) !== last.packedChecksum) throw new Error('A file of rows is damaged.')
    return { bytes, blocks }
  }
}

function afterSeparator({ packed, packedChecksum, text, textChecksum }: BlockPlace): BlockPlace {
  return {
    packed: packed + PACKED_SEPARATOR.length,
    packedChecksum: crc32(PACKED_SEPARATOR, packedChecksum),
    text: text + SEPARATOR_TEXT.length,
    textChecksum: crc32(SEPARATOR_TEXT, textChecksum),
  }
}

function someOf({ bytes, blocks }: PackedBlocks, from: number, to: number): PackedBlocks {
  const some = blocks.slice(from, to)
  const [begin, first, last] = [blocks[0]?.start, some[0]?.start, some.at(-1)?.end]
  if (!begin || !first || !last) return noBlocks
  return { bytes: bytes.subarray(first.packed - begin.packed, last.packed - begin.packed), blocks: some }
}

function unpackedBlock(found: PackedBlocks, at: number): Buffer {
  const number = at < 0 ? found.blocks.length + at : at
  const { bytes, blocks } = someOf(found, number, number + 1)
  return unpack(bytes, (blocks[0]?.end.text ?? 0) - (blocks[0]?.start.text ?? 0))
}

function copyOf({ bytes, blocks }: PackedBlocks): PackedBlocks {
  const copy = Buffer.allocUnsafeSlow(bytes.length)
  bytes.copy(copy)
  return { bytes: copy, blocks }
}

/** Copies some rows of a block, with texts around them, and frees the others. */
function copiedRows(found: PackedBlocks, block: number, from: number, count: number, { before = nothing, after = nothing } = {}): Buffer {
  const text = unpackedBlock(found, block)
  const rows = Buffer.concat([before, rowsOf(text, from, count), after])
  release(text)
  return rows
}

/** Some rows of a block. */
function rowsOf(text: Buffer, from: number, count: number): Buffer {
  const start = afterRows(text, 0, from)
  return text.subarray(start, afterRows(text, start, count) - SEPARATOR.length)
}

/** The place after so many rows. The last row of a block has no separator. */
function afterRows(text: Buffer, start: number, rows: number): number {
  let at = start
  for (let row = 0; row < rows; row += 1) {
    const found = text.indexOf(LINE_FEED, at)
    at = found < 0 ? text.length + SEPARATOR.length : found + 1
  }
  return at
}

/** In unshared memory, so that it can be released, and so that a part of the index in use keeps no other bytes alive. */
async function bytesOf(handle: FileHandle, start: number, length: number): Promise<Buffer> {
  const bytes = Buffer.allocUnsafeSlow(length)
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
  const endOf = storedEnds(placesAt ?? 0, size - FOOTER_BYTES)
  return new RowFile(file, { blockRows: blockRows ?? 1, endOf }, rows)
}

/** Where a block ends in the file and in the text, and both checksums. */
const PLACE_BYTES = 3 * NUMBER_BYTES
/** 256 places are read at a time: few bytes for one row, and enough for blocks that follow one another. */
const PART_BYTES = 256 * PLACE_BYTES
/** 3 MB: all places of 13 million rows. The rows of one page may come from a hundred places of the file. */
const MOST_PARTS = 512

function storedEnds(start: number, end: number): EndOf {
  const parts = new Map<number, Buffer | Promise<Buffer>>()
  const read = (number: number, handle: FileHandle): Promise<Buffer> => {
    const from = start + number * PART_BYTES
    const part = bytesOf(handle, from, Math.min(PART_BYTES, end - from))
    const [oldest] = parts.keys()
    if (oldest !== undefined && parts.size >= MOST_PARTS) parts.delete(oldest)
    parts.set(number, part)
    part.then(
      (bytes) => parts.has(number) && parts.set(number, bytes),
      () => parts.delete(number),
    )
    return part
  }
  return (block, handle) => {
    const number = Math.floor((block * PLACE_BYTES) / PART_BYTES)
    const at = (block * PLACE_BYTES) % PART_BYTES
    const part = parts.get(number) ?? read(number, handle)
    return part instanceof Promise ? part.then((bytes) => placeIn(bytes, at)) : placeIn(part, at)
  }
}

function placeIn(bytes: Buffer, at: number): BlockPlace {
  return {
    packed: Number(bytes.readBigUInt64LE(at)),
    text: Number(bytes.readBigUInt64LE(at + NUMBER_BYTES)),
    packedChecksum: bytes.readUInt32LE(at + 2 * NUMBER_BYTES),
    textChecksum: bytes.readUInt32LE(at + 2 * NUMBER_BYTES + NUMBER_BYTES / 2),
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
  const ends: BlockPlace[] = []
  const growing = new RowFile(file, { blockRows, endOf: (block) => ends[block] ?? BEGINNING })
  begun(growing)
  for await (const block of blocks) {
    const text = Buffer.from(block)
    const bytes = await pack(text, PACKING)
    const last = ends.at(-1)
    const start = last ? afterSeparator(last) : BEGINNING
    await writeAt(handle, last ? Buffer.concat([PACKED_SEPARATOR, bytes]) : bytes, last?.packed ?? 0)
    ends.push({
      packed: start.packed + bytes.length,
      packedChecksum: crc32(bytes, start.packedChecksum),
      text: start.text + text.length,
      textChecksum: crc32(text, start.textChecksum),
    })
    growing.rows = Math.min(growing.rows + blockRows, rows)
  }
  if (growing.rows !== rows || ends.length !== Math.ceil(rows / blockRows)) throw new Error('A file of rows is not complete.')
  const placesAt = ends.at(-1)?.packed ?? 0
  await writeAt(handle, tailOf(ends, [rows, blockRows, placesAt]), placesAt)
}

async function writeAt(handle: FileHandle, bytes: Buffer, at: number): Promise<void> {
  const { bytesWritten } = await handle.write(bytes, 0, bytes.length, at)
  if (bytesWritten !== bytes.length) throw new Error('A file of rows was not written whole.')
}

function tailOf(ends: readonly BlockPlace[], footer: readonly number[]): Buffer {
  const bytes = Buffer.alloc(ends.length * PLACE_BYTES + FOOTER_BYTES)
  let at = 0
  for (const { packed, text, packedChecksum, textChecksum } of ends) {
    at = bytes.writeBigUInt64LE(BigInt(packed), at)
    at = bytes.writeBigUInt64LE(BigInt(text), at)
    at = bytes.writeUInt32LE(packedChecksum, at)
    at = bytes.writeUInt32LE(textChecksum, at)
  }
  for (const value of footer) at = bytes.writeBigUInt64LE(BigInt(value), at)
  bytes.write(MARK, at, 'latin1')
  return bytes
}
