// Loaded before the product: while a marker file exists, a separate disk has no free space, or the marker's number of bytes per file. Existing data can be read and overwritten.
import fs from 'node:fs'
import { syncBuiltinESMExports } from 'node:module'

const { FULL_DISK: disk = '', FULL_DISK_SIGN: sign = '' } = process.env
const { copyFile, open, writeFile } = fs.promises
const { existsSync, fstatSync, mkdirSync, readFileSync, readlinkSync, statfsSync, writeFileSync, writeSync } = fs

const hasSign = (place) => String(place).startsWith(disk) && existsSync(sign)
const roomIn = (place) => (hasSign(place) ? Number(readFileSync(sign, 'utf8')) : Infinity)
const isFull = (place) => roomIn(place) === 0
const placeOf = (fd) => readlinkSync(`/proc/self/fd/${fd}`)

function refuse(syscall) {
  throw Object.assign(new Error(`ENOSPC: no space left on device, ${syscall}`), { code: 'ENOSPC', errno: -28, syscall })
}

fs.writeSync = (fd, data, ...rest) => {
  const [, length, position] = rest
  const end = (position ?? fstatSync(fd).size) + (length ?? 0)
  if (end - fstatSync(fd).size > roomIn(placeOf(fd))) refuse('write')
  return writeSync(fd, data, ...rest)
}
fs.writeFileSync = (place, ...rest) => (isFull(place) ? refuse('open') : writeFileSync(place, ...rest))
fs.mkdirSync = (place, ...rest) => (isFull(place) && !existsSync(place) ? refuse('mkdir') : mkdirSync(place, ...rest))
fs.statfsSync = (place) => (isFull(place) ? Object.assign(statfsSync(place), { bavail: 0 }) : statfsSync(place))
fs.promises.copyFile = async (from, to, mode) => (isFull(to) ? refuse('copyfile') : copyFile(from, to, mode))
fs.promises.writeFile = async (place, ...rest) => (isFull(place) ? refuse('open') : writeFile(place, ...rest))
/** A write through a handle succeeds up to the end of the free space. */
fs.promises.open = async (place, ...rest) => {
  const handle = await open(place, ...rest)
  const write = handle.write.bind(handle)
  const writeAll = handle.writeFile.bind(handle)
  handle.write = async (data, from, length, position) => {
    const room = Math.max(0, roomIn(place) - position)
    if (length <= room) return write(data, from, length, position)
    await write(data, from, room, position)
    return refuse('write')
  }
  handle.writeFile = async (data) => {
    const room = roomIn(place)
    await writeAll(data.length > room ? data.subarray(0, room) : data)
    return data.length > room ? refuse('write') : undefined
  }
  return handle
}
syncBuiltinESMExports()
