import { promisify } from 'node:util'
import { crc32, inflateRaw } from 'node:zlib'
import { TAKEN } from './exported-post.ts'
import { stop } from '#app/platform/stop.ts'

const inflate = promisify(inflateRaw)

const MOST_FILES = 2000
/** Bytes of one file, and of all together once they are unpacked. */
const MOST_FILE_BYTES = 20 * 1024 * 1024
const MOST_BYTES = 200 * 1024 * 1024
/** Text becomes a tenth, what is made to break others a thousandth. */
const MOST_RATIO = 200
const RATIO_COUNTS_FROM = 1024 * 1024

const END = 0x06_05_4b_50
const ENTRY = 0x02_01_4b_50
const LOCAL = 0x04_03_4b_50

/** A file of an archive: nothing of it is unpacked before `read` is called. `read` answers nothing where its bytes are not what the archive says of them. */
export type ZipFile = { name: string; size: number; read: () => Promise<Buffer | undefined> }

/** Its files, in their order. Stops where it is no archive, or says of itself that it would become too much. */
export function readZip(bytes: Buffer): ZipFile[] {
  const damaged = () => stop('unprocessable', `This file is not a whole zip archive. ${TAKEN}`)
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
    if (sum > MOST_BYTES || entry.size > MOST_FILE_BYTES) stop('unprocessable', 'What is in this archive is too large to be unpacked.')
    const isBomb = entry.size > RATIO_COUNTS_FROM && entry.size > entry.packedSize * MOST_RATIO
    if (isBomb) stop('unprocessable', 'A file of this archive would become hundreds of times as large. It is not unpacked.')
    if (!entry.name.endsWith('/')) files.push({ name: entry.name, size: entry.size, read: () => unpack(bytes, entry) })
  }
  return files
}

type Entry = { name: string; flags: number; method: number; sum: number; packedSize: number; size: number; local: number; next: number }

/** The end of the list of files stands last, before a comment that can have any bytes. */
function endOf(bytes: Buffer): number | undefined {
  for (let place = bytes.length - 22; place >= Math.max(0, bytes.length - 22 - 0xff_ff); place -= 1) {
    if (bytes.readUInt32LE(place) === END) return place
  }
  return undefined
}

function entryAt(bytes: Buffer, place: number): Entry | undefined {
  if (place + 46 > bytes.length || bytes.readUInt32LE(place) !== ENTRY) return undefined
  const [nameLength, extra, comment] = [28, 30, 32].map((at) => bytes.readUInt16LE(place + at))
  const name = bytes.subarray(place + 46, place + 46 + (nameLength ?? 0)).toString('utf8')
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

/** Never more than the archive has said, whatever the packed bytes would go on to: they are not believed. */
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
