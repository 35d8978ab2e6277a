import { existsSync } from 'node:fs'
import { get, type IncomingMessage } from 'node:http'
import path from 'node:path'
import { text } from 'node:stream/consumers'
import { setTimeout as sleep } from 'node:timers/promises'
import { createGunzip } from 'node:zlib'
import { beforeAll, describe, expect, test, vi } from 'vitest'
import { collectGarbage } from '#test/collect-garbage.ts'
import { makeKey } from '#app/data-api/keys/api-key.server.ts'
import { ownKeys } from '#app/data-api/keys/key-holding.server.ts'
import { env } from '#app/platform/env.server.ts'
import { startEndpoints } from '#test/app.ts'
import { makeDataset, makeProduct, signIn } from '#test/factories.ts'

const app = await startEndpoints()

const ROWS = 24_000
/** A page has 7 MB, more than the system takes from a server whose client does not read. */
const PAGE = 8000
const noteOf = (at: number) => `${at}-`.repeat(Math.ceil(850 / `${at}-`.length))

let base: string
let headers: Record<string, string>

beforeAll(async () => {
  const product = await makeProduct({ slug: 'large-pages', isFree: true })
  const lines = Array.from({ length: ROWS }, (_, at) => `${at},${noteOf(at)}`)
  const { id } = await makeDataset(product, ['at,note', ...lines, ''].join('\n'))
  const { user } = await signIn()
  const { key } = await makeKey(ownKeys(user.id), { name: 'Readers', productIds: null, expiresInDays: null }, {})
  headers = { authorization: `Bearer ${key}` }
  base = `${await app.listen({ port: 0, host: '127.0.0.1' })}/api/v1/datasets/large-pages/rows`
  await text(await ask(1, ''))
  const stored = path.join(env.DATA_DIR, 'cache/rows', `${id}-rows-3`)
  await vi.waitUntil(() => existsSync(stored), { timeout: 30_000 })
})

/** The response of a page before its body is read: the rest of it is on its way, or still with the server. */
function ask(limit: number, cursor: string, encoding = 'identity'): Promise<IncomingMessage> {
  const url = `${base}?limit=${limit}${cursor && `&cursor=${cursor}`}`
  return new Promise((resolve, reject) =>
    get(url, { agent: false, headers: { ...headers, 'accept-encoding': encoding } }, resolve).on('error', reject),
  )
}

async function read(limit: number, cursor: string, encoding = 'identity', pauseMs = 0) {
  const response = await ask(limit, cursor, encoding)
  await sleep(pauseMs)
  if (response.statusCode !== 200 || (response.headers['content-encoding'] ?? 'identity') !== encoding)
    throw new Error('Another response was expected.')
  const body = await text(encoding === 'gzip' ? response.pipe(createGunzip()) : response)
  const { data, nextCursor }: { data: { at: number; note: string }[]; nextCursor: string | null } = JSON.parse(body)
  return { data, nextCursor }
}

/** Every row says which one it is, in each of its bytes. */
const isPageFrom = (data: readonly { at: number; note: string }[], from: number) =>
  data.length === PAGE && data.every(({ at, note }, place) => at === from + place && note === noteOf(at))

/** The bytes of texts and buffers that something still holds. */
async function heldBytes(): Promise<number> {
  await sleep(300)
  await collectGarbage()
  const { heapUsed, arrayBuffers } = process.memoryUsage()
  return heapUsed + arrayBuffers
}

describe('security', () => {
  test('many readers at the same time, slow ones and ones that leave, each get the bytes of their own page', async () => {
    const cursors = new Map([[0, '']])
    for (let at = 0, cursor = ''; at < ROWS - PAGE; at += 2000) {
      cursor = (await read(2000, cursor, 'gzip')).nextCursor ?? ''
      cursors.set(at + 2000, cursor)
    }
    const leave = async (at: number) => {
      const response = await ask(PAGE, cursors.get(at) ?? '')
      await sleep(at % 3 === 0 ? 0 : 150)
      response.destroy()
    }
    const stay = async (at: number, encoding: string, pauseMs: number) => {
      const { data } = await read(PAGE, cursors.get(at) ?? '', encoding, pauseMs)
      return isPageFrom(data, at)
    }
    const starts = [...cursors.keys()]
    for (let round = 0; round < 2; round += 1) {
      const staying = starts.flatMap((at, number) => [
        stay(at, 'identity', number % 2 === 0 ? 300 : 0),
        ...(number % 4 === 0 ? [stay(at, 'gzip', 100)] : []),
      ])
      await Promise.all(starts.map(leave))
      expect(new Set(await Promise.all(staying))).toEqual(new Set([true]))
    }
  })

  test('readers who do not read hold a piece of their page in memory, not all of it', async () => {
    const before = await heldBytes()
    const idle = await Promise.all(Array.from({ length: 16 }, () => ask(PAGE, '')))
    const each = ((await heldBytes()) - before) / idle.length
    for (const response of idle) response.destroy()
    expect(each).toBeLessThan(1.5 * 2 ** 20)
  })
})
