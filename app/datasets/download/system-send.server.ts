/** `sendfile` for the part of a file in the page cache; it never waits for the disk. `socket` and `file` are descriptors. */
export type SystemSend = {
  /** Reads from an offset into `target`. Returns the number of bytes; none below 1. */
  read: (file: number, at: number, target: Buffer) => number
  /** Sends from an offset as far as the connection accepts it, without copying through this process. Returns the number of bytes sent. */
  send: (socket: number, file: number, at: number, length: number) => number
}

/** If the last byte of a block is cached, usually all of it is: files are read ahead from their start. */
const BLOCK = 512 * 1024
/** The maximum per call, so that other connections get their turn. */
const MOST = 4 * 2 ** 20
const NOWAIT = 8

let loaded: Promise<SystemSend | undefined> | undefined

/** Undefined where the system or this build of Node does not support it: then every byte is read and written. */
export function systemSend(): Promise<SystemSend | undefined> {
  return (loaded ??= load().catch(() => undefined))
}

async function load(): Promise<SystemSend | undefined> {
  // The arguments are laid out for 64-bit systems.
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
    // Below zero: try later, or the connection failed. The next write to it shows which.
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
