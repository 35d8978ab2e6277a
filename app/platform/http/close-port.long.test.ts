import { once } from 'node:events'
import { createServer, type Server } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { Worker } from 'node:worker_threads'
import { expect, test } from 'vitest'
import { z } from 'zod'
import { closePort } from './close-port.server.ts'

const PORTS = 20
/** Of all connections to these ports. */
const MOST_BROKEN = 4

/** Opens one connection after another to a port until it is refused, as a balancer does, and sends a line on each. Reports how they ended. */
const CALLER = `
  const { connect } = require('node:net')
  const { parentPort, workerData: port } = require('node:worker_threads')
  const heard = { answered: 0, broken: 0 }
  let calling = 32
  const call = () => {
    let [isAnswered, isRefused] = [false, false]
    const socket = connect({ port, host: '127.0.0.1' }, () => socket.write('hello'))
    socket.on('data', () => (isAnswered = true))
    socket.on('error', ({ code }) => (isRefused = code === 'ECONNREFUSED'))
    socket.on('close', () => {
      if (!isRefused) {
        heard[isAnswered ? 'answered' : 'broken'] += 1
        return setTimeout(call, Math.random() * 4)
      }
      calling -= 1
      if (calling === 0) parentPort.postMessage(heard)
    })
  }
  for (let count = 0; count < 32; count += 1) call()`

const heardByCaller = z.object({ answered: z.int(), broken: z.int() })

async function listen(): Promise<{ server: Server; port: number }> {
  const server = createServer((socket) => socket.on('error', () => undefined).once('data', () => socket.end('here')))
  await once(server.listen(0, '127.0.0.1'), 'listening')
  const address = server.address()
  return { server, port: typeof address === 'object' && address ? address.port : 0 }
}

// The kernel resets a connection whose last packet meets the full queue: 0 to 2 of the thousands in these closings, more on a fast machine.
// An ordinary close breaks 44 to 163 of them.
test(
  'a port is closed while connections arrive without a pause, and nearly none of them is broken',
  { timeout: 120_000, retry: 2 },
  async () => {
    let [answered, broken] = [0, 0]
    for (let count = 0; count < PORTS; count += 1) {
      const { server, port } = await listen()
      const told = once(new Worker(CALLER, { eval: true, workerData: port }), 'message')
      await sleep(100)
      await closePort(server)
      const heard = heardByCaller.parse((await told)[0])
      answered += heard.answered
      broken += heard.broken
      expect(server.listening).toBe(false)
    }
    expect(answered).toBeGreaterThan(PORTS)
    expect(broken).toBeLessThanOrEqual(MOST_BROKEN)
  },
)

test('a port without connections is closed', async () => {
  const { server } = await listen()
  await closePort(server)
  expect(server.listening).toBe(false)
})
