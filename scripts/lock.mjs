import { createHash } from 'node:crypto'
import { rmSync } from 'node:fs'
import net from 'node:net'
import { tmpdir } from 'node:os'
import path from 'node:path'

/**
 * Runs the work under a lock of this checkout. The lock is a socket: the system releases it whenever its holder dies, so no manual cleanup is
 * needed.
 */
export async function alone(root, work) {
  const address = addressFor(root)
  const release = await hold(address)
  try {
    return await work()
  } finally {
    release()
  }
}

function addressFor(root) {
  const name = `winnow-${createHash('sha256').update(root).digest('hex').slice(0, 16)}`
  if (process.platform === 'linux') return `\0${name}`
  if (process.platform === 'win32') return `\\\\.\\pipe\\${name}`
  return path.join(tmpdir(), `${name}.sock`)
}

async function hold(address) {
  for (;;) {
    const release = await listen(address)
    if (release) return release
    await untilReleased(address)
  }
}

/** Returns a release function, or `undefined` while another process holds the lock. */
function listen(address) {
  const waiting = new Set()
  return new Promise((resolve, reject) => {
    const server = net.createServer((socket) => waiting.add(socket.on('error', () => {})))
    server.once('error', (error) => (error.code === 'EADDRINUSE' ? resolve(undefined) : reject(error)))
    server.listen(address, () => {
      resolve(() => {
        server.close()
        for (const socket of waiting) socket.destroy()
      })
    })
  })
}

/** A connection to the holder ends when the holder releases the lock. */
function untilReleased(address) {
  return new Promise((resolve) => {
    const socket = net.connect(address).resume()
    socket.on('error', () => {
      // A socket file without a listener was left by a dead holder.
      if (path.isAbsolute(address)) rmSync(address, { force: true })
    })
    socket.on('close', () => setTimeout(resolve, 50))
  })
}
