import { promisify } from 'node:util'
import { crc32, inflateRaw } from 'node:zlib'
import { IMPORTABLE } from './exported-post.ts'
import { readForeignText } from '#app/platform/text/foreign-text.ts'
import { stop } from '#app/platform/errors/stop.ts'

const inflate = promisify(inflateRaw)

const MOST_FILES = 2000
/** Unpacked size limits in bytes, per file and in total. */
const MOST_FILE_BYTES = 20 * 1024 * 1024
const MOST_BYTES = 200 * 1024 * 1024
/** Text shrinks to a tenth, a zip bomb to a thousandth. */
const MOST_RATIO = 200
const RATIO_COUNTS_FROM = 1024 * 1024

const END = 0x06_05_4b_50
const ENTRY = 0x02_01_4b_50
const LOCAL = 0x04_03_4b_50

/** A file of an archive, unpacked only by `read`. `read` returns `undefined` when its bytes do not match the archive's directory. */
export type ZipFile = { name: string; size: number; read: () => Promise<Buffer | undefined> }

/** Lists the files. Stops when it is no archive, or when its declared sizes exceed the limits. */
export function readZip(bytes: Buffer): ZipFile[] {
  const damaged = () => stop('unprocessable', `This zip archive is incomplete or damaged. ${IMPORTABLE}`)
  const end = endOf(bytes) ?? damaged()
  const count = bytes.readUInt16LE(end + 10)
  if (count > MOST_FILES) stop('unprocessable', `This archive has more than ${MOST_FILES} files. Please send it in parts.`)
  const files: ZipFile[] = []
  let place = bytes.readUInt32LE(end + 16)
  let sum = 0
  for (let index = 0; index < count; index += 1) {
    const entry = entryAt(bytes, place) ?? damaged()
    place = entry.next
    sum += entry.size
    if (sum > MOST_BYTES || entry.size > MOST_FILE_BYTES) stop('unprocessable', 'The contents of this archive are too large to unpack.')
    const isBomb = entry.size > RATIO_COUNTS_FROM && entry.size > entry.packedSize * MOST_RATIO
    if (isBomb) stop('unprocessable', 'A file in this archive is compressed too much to unpack safely.')
    if (!entry.name.endsWith('/')) files.push({ name: entry.name, size: entry.size, read: () => unpack(bytes, entry) })
  }
  return files
}

type Entry = { name: string; flags: number; method: number; sum: number; packedSize: number; size: number; local: number; next: number }

/** The end record is last, before a comment of arbitrary bytes. */
function endOf(bytes: Buffer): number | undefined {
  for (let place = bytes.length - 22; place >= Math.max(0, bytes.length - 22 - 0xff_ff); place -= 1) {
    if (bytes.readUInt32LE(place) === END) return place
  }
  return undefined
}

function entryAt(bytes: Buffer, place: number): Entry | undefined {
  if (place + 46 > bytes.length || bytes.readUInt32LE(place) !== ENTRY) return undefined
  const [nameLength, extra, comment] = [28, 30, 32].map((at) => bytes.readUInt16LE(place + at))
  const name = readForeignText(bytes.subarray(place + 46, place + 46 + (nameLength ?? 0)))
  return {
    name,
    flags: bytes.readUInt16LE(place + 8),
    method: bytes.readUInt16LE(place + 10),
    sum: bytes.readUInt32LE(place + 16),
    packedSize: bytes.readUInt32LE(place + 20),
    size: bytes.readUInt32LE(place + 24),
    local: bytes.readUInt32LE(place + 42),
    next: place + 46 + (nameLength ?? 0) + (extra ?? 0) + (comment ?? 0),
  }
}

/** Never unpacks more than the declared size, because the packed bytes are untrusted. */
async function unpack(bytes: Buffer, { flags, method, sum, packedSize, size, local }: Entry): Promise<Buffer | undefined> {
  const isLocked = (flags & 1) === 1
  if (isLocked || local + 30 > bytes.length || bytes.readUInt32LE(local) !== LOCAL) return undefined
  const start = local + 30 + bytes.readUInt16LE(local + 26) + bytes.readUInt16LE(local + 28)
  const packed = bytes.subarray(start, start + packedSize)
  const content = method === 0 ? packed : method === 8 ? await inflated(packed, size) : undefined
  return content?.length === size && crc32(content) === sum ? content : undefined
}

async function inflated(packed: Buffer, size: number): Promise<Buffer | undefined> {
  try {
    return await inflate(packed, { maxOutputLength: Math.max(size, 1) })
  } catch {
    return undefined
  }
}
