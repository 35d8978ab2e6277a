import { PassThrough } from 'node:stream'
import { expect, test } from 'vitest'
import { createHttp } from './http.server.ts'

let finish = () => {}
const held = new Promise<void>((resolve) => (finish = resolve))

const http = createHttp()
http.get('/api/slow', async () => {
  await held
  return {}
})
http.post('/api/enquiry', async () => ({ received: true }))
await http.ready()

test('too many readers at once are told to come back, while enquiries are taken and the readers before them get their answer', async () => {
  const readers = Array.from({ length: 300 }, () => http.inject('/api/slow'))
  const refused = await Promise.race(readers)
  expect([refused.statusCode, refused.headers['retry-after'], refused.headers['content-type']]).toEqual([
    503,
    '2',
    'application/problem+json',
  ])
  expect((await http.inject({ method: 'POST', url: '/api/enquiry' })).json()).toEqual({ received: true })
  finish()
  const statuses = (await Promise.all(readers)).map(({ statusCode }) => statusCode)
  expect(new Set(statuses)).toEqual(new Set([200, 503]))
  expect(statuses.filter((status) => status === 200).length).toBeGreaterThanOrEqual(16)
})

test('an answer that is being sent holds up nobody', async () => {
  const streaming = createHttp()
  streaming.get('/api/stream', async (_request, reply) => {
    const endless = new PassThrough()
    endless.write('more to come')
    return reply.send(endless)
  })
  streaming.get('/api/quick', async () => ({}))
  await streaming.listen({ port: 0, host: '127.0.0.1' })
  const streams = await Promise.all(Array.from({ length: 30 }, () => fetch(`${streaming.listeningOrigin}/api/stream`)))
  expect((await streaming.inject('/api/quick')).statusCode).toBe(200)
  for (const { body } of streams) await body?.cancel()
  await streaming.close()
})
