// Loaded before the product: while a sign is there, a disk of its own has no room. What is on it can be read and overwritten.
import fs from 'node:fs'
import { syncBuiltinESMExports } from 'node:module'

const { FULL_DISK: disk = '', FULL_DISK_SIGN: sign = '' } = process.env
const { copyFile, writeFile } = fs.promises
const { existsSync, fstatSync, mkdirSync, readlinkSync, statfsSync, writeFileSync, writeSync } = fs

const isFull = (place) => String(place).startsWith(disk) && existsSync(sign)
const placeOf = (fd) => readlinkSync(`/proc/self/fd/${fd}`)

function refuse(syscall) {
  throw Object.assign(new Error(`ENOSPC: no space left on device, ${syscall}`), { code: 'ENOSPC', errno: -28, syscall })
}

fs.writeSync = (fd, data, ...rest) => {
  const [, length, position] = rest
  const end = (position ?? fstatSync(fd).size) + (length ?? 0)
  if (end > fstatSync(fd).size && isFull(placeOf(fd))) refuse('write')
  return writeSync(fd, data, ...rest)
}
fs.writeFileSync = (place, ...rest) => (isFull(place) ? refuse('open') : writeFileSync(place, ...rest))
fs.mkdirSync = (place, ...rest) => (isFull(place) && !existsSync(place) ? refuse('mkdir') : mkdirSync(place, ...rest))
fs.statfsSync = (place) => (isFull(place) ? Object.assign(statfsSync(place), { bavail: 0 }) : statfsSync(place))
fs.promises.copyFile = async (from, to, mode) => (isFull(to) ? refuse('copyfile') : copyFile(from, to, mode))
fs.promises.writeFile = async (place, ...rest) => (isFull(place) ? refuse('open') : writeFile(place, ...rest))
syncBuiltinESMExports()
