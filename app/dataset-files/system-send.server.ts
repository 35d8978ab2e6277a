/** What the system does with the part of a file that it has in memory; what lies on the disk alone is never waited for. `socket` and `file` are descriptors. */
export type SystemSend = {
  /** Reads from a place on into `target`. Answers how many bytes there were; none below 1. */
  read: (file: number, at: number, target: Buffer) => number
  /** Sends from a place on as far as the connection takes it, without a byte of it passing through this process. Answers how many bytes were taken. */
  send: (socket: number, file: number, at: number, length: number) => number
}

/** What holds of the last byte of so many holds of all of them as a rule: files come into memory from their beginning on, a good part at a time. */
const BLOCK = 512 * 1024
/** Others have their turn after so many bytes. */
const MOST = 4 * 2 ** 20
const NOWAIT = 8

let loaded: Promise<SystemSend | undefined> | undefined

/** Undefined where the system, or this build of Node, has no such way: then every byte is read and written. */
export function systemSend(): Promise<SystemSend | undefined> {
  return (loaded ??= load().catch(() => undefined))
}

async function load(): Promise<SystemSend | undefined> {
  // What is handed over is laid out as 64 bits have it.
  if (process.platform !== 'linux' || !['x64', 'arm64'].includes(process.arch)) return undefined
  const { dlopen, getRawPointer } = await import('node:ffi')
  const { functions } = dlopen(null, {
    preadv2: { arguments: ['i32', 'pointer', 'i32', 'i64', 'i32'], return: 'i64' },
    sendfile: { arguments: ['i32', 'i32', 'pointer', 'u64'], return: 'i64' },
  })
  const [addressAndLength, from, byte] = [Buffer.alloc(16), Buffer.alloc(8), Buffer.alloc(1)]
  const read = (file: number, at: number, target: Buffer) => {
    addressAndLength.writeBigUInt64LE(getRawPointer(target))
    addressAndLength.writeBigUInt64LE(BigInt(target.length), 8)
    return Number(functions.preadv2(file, addressAndLength, 1, BigInt(at), NOWAIT))
  }
  const sendBlock = (socket: number, file: number, at: number, length: number) => {
    if (read(file, at + length - 1, byte) < 1) return 0
    from.writeBigInt64LE(BigInt(at))
    // Below zero: not now, or never again. Whoever writes to the connection next learns which.
    return Math.max(0, Number(functions.sendfile(socket, file, from, BigInt(length))))
  }
  return { read, send: (...asked) => inBlocks(sendBlock, ...asked) }
}

function inBlocks(sendBlock: SystemSend['send'], socket: number, file: number, at: number, length: number): number {
  const end = Math.min(length, MOST)
  let sent = 0
  while (sent < end) {
    const size = Math.min(BLOCK, end - sent)
    const taken = sendBlock(socket, file, at + sent, size)
    sent += taken
    if (taken < size) break
  }
  return sent
}
