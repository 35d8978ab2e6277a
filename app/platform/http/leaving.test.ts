import { once } from 'node:events'
import { createServer } from 'node:http'
import { connect } from 'node:net'
import { afterAll, expect, test } from 'vitest'
import { leaving } from './leaving.server.ts'
import { Stop } from '#app/platform/errors/stop.ts'

const server = createServer()
await once(server.listen(0, '127.0.0.1'), 'listening')
afterAll(() => server.close())

async function askForOne() {
  const address = server.address()
  const socket = connect(typeof address === 'object' && address ? address.port : 0, '127.0.0.1')
  const asked = once(server, 'request')
  socket.write('GET / HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n')
  const [, response] = await asked
  return { socket, response }
}

test('a client that leaves before the response is noticed, at that moment and afterwards', async () => {
  const { socket, response } = await askForOne()
  const left = leaving(response)
  expect(left.aborted).toBe(false)
  socket.destroy()
  await expect.poll(() => left.aborted).toBe(true)
  expect(leaving(response).aborted).toBe(true)
  expect(left.reason).toEqual(new Stop('timeout', 'You have left.'))
})

test('a client that has the response has not left', async () => {
  const { socket, response } = await askForOne()
  const left = leaving(response)
  response.end('all of it')
  socket.resume()
  await once(socket, 'close')
  await expect.poll(() => response.destroyed).toBe(true)
  expect(left.aborted).toBe(false)
})
