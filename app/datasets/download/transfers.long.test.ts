import { once } from 'node:events'
import { connect } from 'node:net'
import { expect, onTestFinished, test, vi } from 'vitest'
import { queryDuckdb as askEngine } from '#app/datasets/rows/engine.server.ts'
import { startEndpoints } from '#test/app.ts'
import { makeDataset, makeProduct, signIn } from '#test/factories.ts'

const app = await startEndpoints()
const site = await app.listen({ port: 0, host: '127.0.0.1' })
const port = Number(new URL(site).port)
const product = await makeProduct()
await makeDataset(product, 'shop,price\nNorth,1.50\nSouth,2.25\n')
const person = await signIn()

async function linkOf(payload: object): Promise<string> {
  const url = `/api/data-products/${product.id}/download`
  return (await app.inject({ method: 'POST', url, headers: person.headers, payload })).json().downloadUrl
}
const get = (link: string) => fetch(site + link, { headers: person.headers })

test('who leaves holds no place: neither before the answer begins, nor while rows are put in order', async () => {
  const whole = await linkOf({ downloadType: 'file', format: 'original' })
  const sorted = await linkOf({ downloadType: 'file', sort: { column: 'price' } })
  const begun = (link: string) => {
    const line = connect(port, '127.0.0.1')
    line.on('error', () => undefined)
    line.write(`GET ${link} HTTP/1.1\r\nHost: x\r\nCookie: ${person.headers.cookie}\r\n\r\n`)
    return line
  }
  const isFull = async () => {
    const reply = await get(whole)
    await reply.text()
    return reply.status === 429
  }

  for (let at = 0; at < 9; at += 1) {
    const line = begun(whole)
    const [request] = await once(app.server, 'request')
    request.socket.destroy()
    await once(line, 'close')
  }
  // Each of them takes a moment to look up.
  await get(sorted)
  expect(await isFull()).toBe(false)

  const others = new AbortController()
  onTestFinished(() => others.abort())
  const longWork = askEngine('SELECT count(*) FROM range(1000000000000)', [], { queue: 'work', signal: others.signal }).catch(() => 'ended')
  // More than may queue for such work.
  for (let round = 0; round < 3; round += 1) {
    const lines = Array.from({ length: 8 }, () => begun(sorted))
    // A busy server refuses some of them, so more are sent until there is no place.
    const fill = async () => (await isFull()) || void lines.push(begun(sorted))
    await vi.waitUntil(fill, { timeout: 20_000 })
    for (const line of lines) line.destroy()
    await vi.waitUntil(async () => !(await isFull()), { timeout: 20_000 })
  }
  others.abort()
  expect(await longWork).toBe('ended')
  expect(await (await get(sorted)).text()).toContain('North,1.5')
})
