import { setImmediate as turn } from 'node:timers/promises'
import { constants, crc32, inflateRawSync } from 'node:zlib'
import { shiftedChecksum } from './checksum.ts'

/** A place in a file of blocks, in the text that they are unpacked to, and the checksums of both up to there. */
export type BlockPlace = { packed: number; packedChecksum: number; text: number; textChecksum: number }
export type Block = { start: BlockPlace; end: BlockPlace }

/** Packed blocks with what is between them: together one piece of a file, and one stream of deflate without an end. */
export type PackedBlocks = { bytes: Buffer; blocks: readonly Block[] }

/** The text that is unpacked without a pause: about a millisecond. */
const PIECE_BYTES = 512 * 1024
/** With exactly enough room, the unpacking would ask for more. */
const SPARE_BYTES = 64
/** The most that one block of deflate can have without being compressed. */
const PLAIN_BYTES = 65_535
/** Deflate, no name and no time, an unknown system. */
const GZIP_HEADER = Buffer.from([0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 255])

/**
 * A text of which only the ends are unpacked. The rest is unpacked piece by piece while the text is sent, or never: a client that accepts
 * gzip gets it as it is. It can be read once, so that no buffer has two readers.
 */
export class PackedText {
  readonly bytes: number
  readonly #head: Buffer
  readonly #middle: PackedBlocks
  readonly #tail: Buffer

  /** The three parts follow one another. Any of them may be empty. */
  constructor(head: Buffer, middle: PackedBlocks, tail: Buffer) {
    this.#head = head
    this.#middle = middle
    this.#tail = tail
    this.bytes = head.length + textBytes(middle.blocks) + tail.length
  }

  /** The text in parts. Each belongs to the caller, who may release it. */
  *pieces(): Generator<Buffer> {
    if (this.#head.length > 0) yield this.#head
    const { bytes, blocks } = this.#middle
    const begin = blocks[0]?.start.packed ?? 0
    for (let from = 0; from < blocks.length;) {
      let to = from + 1
      while (to < blocks.length && textBytes(blocks.slice(from, to)) < PIECE_BYTES) to += 1
      const [start, next] = [blocks[from]?.start, blocks[to]?.start ?? blocks.at(-1)?.end]
      if (start && next) yield unpack(bytes.subarray(start.packed - begin, next.packed - begin), next.text - start.text)
      from = to
    }
    release(bytes)
    if (this.#tail.length > 0) yield this.#tail
  }

  async whole(): Promise<Buffer> {
    const whole = Buffer.allocUnsafe(this.bytes)
    let at = 0
    for (const piece of this.pieces()) {
      if (at > 0) await turn()
      at += piece.copy(whole, at)
      release(piece)
    }
    return whole
  }

  /** The text between two others as a file of gzip, in parts. Undefined if all of it was unpacked for its ends. */
  gzip(before: Buffer, after: Buffer): Buffer[] | undefined {
    const { bytes, blocks } = this.#middle
    const [first, last] = [blocks[0]?.start, blocks.at(-1)?.end]
    if (!first || !last) return undefined
    const [start, end] = [Buffer.concat([before, this.#head]), Buffer.concat([this.#tail, after])]
    const length = last.text - first.text
    const upToEnd = shiftedChecksum(crc32(start) ^ first.textChecksum, length) ^ last.textChecksum
    const trailer = Buffer.alloc(8)
    trailer.writeUInt32LE(crc32(end, upToEnd >>> 0))
    trailer.writeUInt32LE((start.length + length + end.length) % 2 ** 32, 4)
    return [Buffer.concat([GZIP_HEADER, asPlainDeflate(start)]), bytes, Buffer.concat([asPlainDeflate(end, { isEnd: true }), trailer])]
  }
}

function textBytes(blocks: readonly Block[]): number {
  const [first, last] = [blocks[0]?.start, blocks.at(-1)?.end]
  return first && last ? last.text - first.text : 0
}

/** Unpacks deflate without an end into a buffer of its own. */
export function unpack(packed: Buffer, bytes: number): Buffer {
  // Memory beyond what is needed brings the next garbage collection, which costs more than a page.
  const text = inflateRawSync(packed, { finishFlush: constants.Z_SYNC_FLUSH, chunkSize: bytes + SPARE_BYTES })
  if (text.length !== bytes) throw new Error('A block of rows has another length.')
  return text
}

/**
 * Frees the memory of a buffer that nothing reads any more; its length is 0 afterwards. Otherwise it is there until a garbage collection,
 * and a few megabytes of it bring one. A buffer that shares its memory with others stays.
 */
export function release({ buffer, byteOffset, length }: Buffer): void {
  const spare = buffer.byteLength - length
  if (length > 0 && byteOffset === 0 && (spare === 0 || spare === SPARE_BYTES) && buffer instanceof ArrayBuffer) buffer.transfer(0)
}

/** A text as deflate without compression. */
export function asPlainDeflate(text: Buffer, { isEnd = false } = {}): Buffer {
  const parts: Buffer[] = []
  for (let at = 0; at === 0 || at < text.length; at += PLAIN_BYTES) {
    const part = text.subarray(at, at + PLAIN_BYTES)
    const head = Buffer.alloc(5)
    head.writeUInt8(isEnd && at + PLAIN_BYTES >= text.length ? 1 : 0)
    head.writeUInt16LE(part.length, 1)
    head.writeUInt16LE(part.length ^ 0xff_ff, 3)
    parts.push(head, part)
  }
  return Buffer.concat(parts)
}
