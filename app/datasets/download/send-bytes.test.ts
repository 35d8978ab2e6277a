import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { mkdtempSync, rmSync, truncateSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { buffer } from 'node:stream/consumers'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, expect, test } from 'vitest'
import { sendBytes } from './send-bytes.server.ts'

const folder = mkdtempSync(path.join(tmpdir(), 'winnow-send-'))
const place = path.join(folder, 'data')
/** More than a connection buffers, and not a multiple of any chunk. */
const bytes = randomBytes(9 * 2 ** 20 + 4321)
writeFileSync(place, bytes)

let running = 0
/** The URL says which range to send, and whether the client has just disconnected. */
const server = createServer((request, response) => {
  const [, start, end, ending] = request.url?.split('/') ?? []
  const range = { start: Number(start), end: Number(end) }
  response.writeHead(200, { 'content-length': range.end - range.start + 1 })
  running += 1
  if (ending) response.socket?.destroy()
  sendBytes(place, response, range)
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

test('a part is sent byte for byte, again on the same connection', async () => {
  for (const [start, end] of parts) {
    const reply = await fetch(`http://127.0.0.1:${port}/${start}/${end}`)
    expect(Buffer.from(await reply.arrayBuffer()).equals(bytes.subarray(start, end + 1))).toBe(true)
  }
})

test('requests that follow each other on one connection are answered in their order, however slowly they are read', async () => {
  const socket = connect(port, '127.0.0.1')
  socket.pause()
  const asked = (end: number, more: string) => `GET /0/${end} HTTP/1.1\r\nHost: x\r\n${more}\r\n`
  socket.write(asked(last, '') + asked(99_999, 'Connection: close\r\n'))
  await sleep(100)
  const answers = await buffer(socket)
  const body = (from: number) => answers.indexOf('\r\n\r\n', from) + 4
  const first = body(0)
  expect(answers.subarray(first, first + bytes.length).equals(bytes)).toBe(true)
  expect(answers.subarray(body(first + bytes.length)).equals(bytes.subarray(0, 100_000))).toBe(true)
})

test('who goes in the middle of a part leaves nothing open', async () => {
  const readers = await Promise.all(
    Array.from({ length: 12 }, async (_, at) => {
      const socket = connect(port, '127.0.0.1')
      socket.write(`GET /0/${last} HTTP/1.1\r\nHost: x\r\n\r\n`)
      await once(socket, 'readable')
      if (at % 2) socket.resume()
      return socket
    }),
  )
  for (const socket of readers) socket.destroy()
  await expect.poll(() => running).toBe(0)
})

test('a connection that has just ended leaves nothing open', async () => {
  await expect(fetch(`http://127.0.0.1:${port}/0/${last}/ending`).then((reply) => reply.arrayBuffer())).rejects.toThrow('fetch failed')
  await expect.poll(() => running).toBe(0)
})

test('a file that is shorter than was said ends the connection', async () => {
  truncateSync(place, 3_000_000)
  const reply = await fetch(`http://127.0.0.1:${port}/0/${last}`)
  await expect(reply.arrayBuffer()).rejects.toThrow('terminated')
  writeFileSync(place, bytes)
})

test('an empty file is sent as an empty response', async () => {
  const reply = await fetch(`http://127.0.0.1:${port}/0/-1`)
  expect([reply.status, await reply.text()]).toEqual([200, ''])
})
