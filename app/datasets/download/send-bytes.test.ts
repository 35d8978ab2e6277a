import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { closeSync, mkdtempSync, openSync, rmSync, truncateSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { buffer } from 'node:stream/consumers'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, expect, test } from 'vitest'
import { sendBytes } from './send-bytes.server.ts'
import { type SystemSend, systemSend } from './system-send.server.ts'

const folder = mkdtempSync(path.join(tmpdir(), 'winnow-send-'))
const place = path.join(folder, 'data')
/** More than a connection buffers, and not a multiple of any chunk. */
const bytes = randomBytes(9 * 2 ** 20 + 4321)
writeFileSync(place, bytes)
const found = await systemSend()
let sentBySystem = 0
const system = found && {
  ...found,
  send(...asked: Parameters<typeof found.send>) {
    const sent = found.send(...asked)
    sentBySystem += sent
    return sent
  },
}

let running = 0
/** The URL says which range to send, by which method, and of which file. */
const server = createServer((request, response) => {
  const [, start, end, by, of] = request.url?.split('/') ?? []
  const range = { start: Number(start), end: Number(end) }
  response.writeHead(200, { 'content-length': range.end - range.start + 1 })
  running += 1
  // Right after a disconnect, Node does not report it yet and silently drops writes.
  const ending = { read: (_file: number, _at: number, { length }: Buffer) => length, send: () => (response.socket?.destroy(), 0) }
  const senders: Record<string, SystemSend | undefined> = { system, ending }
  sendBytes(of === 'node' ? process.execPath : place, response, range, senders[by ?? ''])
    .catch(() => {})
    .finally(() => (running -= 1))
})
await once(server.listen(0, '127.0.0.1'), 'listening')
const address = server.address()
const port = typeof address === 'object' && address ? address.port : 0
afterAll(() => {
  server.close()
  rmSync(folder, { recursive: true })
})

const last = bytes.length - 1
const parts = [
  [0, last],
  [0, 0],
  [last, last],
  [16_383, 16_385],
  [131_071, 5_000_000],
] as const

test.each(['system', 'us'])('a part is sent byte for byte by the %s, again on the same connection', async (by) => {
  for (const [start, end] of parts) {
    const reply = await fetch(`http://127.0.0.1:${port}/${start}/${end}/${by}`)
    expect(Buffer.from(await reply.arrayBuffer()).equals(bytes.subarray(start, end + 1))).toBe(true)
  }
})

test('nearly all bytes of a file in memory are sent by the system, where it tells that they are', async () => {
  // The running program is in the page cache, and on a disk.
  const file = openSync(process.execPath, 'r')
  const tells = (found?.read(file, 0, Buffer.alloc(1)) ?? 0) > 0
  closeSync(file)
  sentBySystem = 0
  const reply = await fetch(`http://127.0.0.1:${port}/0/${last}/system/node`)
  expect((await reply.arrayBuffer()).byteLength).toBe(bytes.length)
  expect(sentBySystem / bytes.length > 0.8).toBe(tells)
})

test.each(['system', 'us'])(
  'requests that follow each other on one connection, sent by the %s, are answered in their order, however slowly they are read',
  async (by) => {
    const socket = connect(port, '127.0.0.1')
    socket.pause()
    const asked = (end: number, more: string) => `GET /0/${end}/${by} HTTP/1.1\r\nHost: x\r\n${more}\r\n`
    socket.write(asked(last, '') + asked(99_999, 'Connection: close\r\n'))
    await sleep(100)
    const answers = await buffer(socket)
    const body = (from: number) => answers.indexOf('\r\n\r\n', from) + 4
    const first = body(0)
    expect(answers.subarray(first, first + bytes.length).equals(bytes)).toBe(true)
    expect(answers.subarray(body(first + bytes.length)).equals(bytes.subarray(0, 100_000))).toBe(true)
  },
)

test.each(['system', 'us'])('who goes in the middle of a part sent by the %s leaves nothing open', async (by) => {
  const readers = await Promise.all(
    Array.from({ length: 12 }, async (_, at) => {
      const socket = connect(port, '127.0.0.1')
      socket.write(`GET /0/${last}/${by} HTTP/1.1\r\nHost: x\r\n\r\n`)
      await once(socket, 'readable')
      if (at % 2) socket.resume()
      return socket
    }),
  )
  for (const socket of readers) socket.destroy()
  await expect.poll(() => running).toBe(0)
})

test('a connection that has just ended leaves nothing open', async () => {
  await expect(fetch(`http://127.0.0.1:${port}/0/${last}/ending`).then((reply) => reply.arrayBuffer())).rejects.toThrow('terminated')
  await expect.poll(() => running).toBe(0)
})

test.each(['system', 'us'])('a file that is shorter than was said, sent by the %s, ends the connection', async (by) => {
  truncateSync(place, 3_000_000)
  const reply = await fetch(`http://127.0.0.1:${port}/0/${last}/${by}`)
  await expect(reply.arrayBuffer()).rejects.toThrow('terminated')
  writeFileSync(place, bytes)
})
