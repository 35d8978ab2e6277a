import { request } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import { text } from 'node:stream/consumers'
import { expect, test } from 'vitest'
import { listen } from './http-server.ts'
import { startS3Server } from './s3-server.ts'

/** Sends half of a body and breaks the connection, as a killed process does. */
async function leaveHalfway(url: string) {
  const asked = request(url, { method: 'PUT', headers: { 'content-length': 1000 } }).on('error', () => undefined)
  asked.write('half')
  await sleep(50)
  asked.destroy()
  await sleep(50)
}

test('a client that is killed in the middle of a body ends its own request, and the server serves the next', async () => {
  const server = await listen(async (asked, response) => response.end(await text(asked)))
  await leaveHalfway(server.url)
  expect(await (await fetch(server.url, { method: 'PUT', body: 'whole' })).text()).toBe('whole')
  await server.close()
})

test('the S3 server of the tests survives a client that is killed in the middle of an object, and stores nothing of it', async () => {
  const s3 = await startS3Server()
  await leaveHalfway(`${s3.endpoint}/bucket/half`)
  expect(s3.objects.size).toBe(0)
  await s3.close()
})

test('any other fault of the listener is a 500 with its reason, and fails the test that closes the server', async () => {
  const server = await listen(async () => {
    await sleep(1)
    throw new Error('a slip')
  })
  const reply = await fetch(server.url)
  expect([reply.status, await reply.text()]).toEqual([500, 'Error: a slip'])
  await expect(server.close()).rejects.toMatchObject({ errors: [new Error('a slip')] })
})
