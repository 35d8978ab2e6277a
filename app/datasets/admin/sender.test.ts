import { createHash } from 'node:crypto'
import { DefaultHttpStack, type HttpStack, Upload } from 'tus-js-client'
import { beforeAll, describe, expect, test } from 'vitest'
import { UPLOADS } from '#app/datasets/import/upload.ts'
import { db } from '#app/platform/database/db.server.ts'
import { startEndpoints } from '#test/app.ts'
import { makeProduct, signIn, type SignedIn } from '#test/factories.ts'
import { differenceTo } from './kept-upload.ts'
import { type SendProgress, UploadSender } from './sender.ts'

const app = await startEndpoints()
const site = await app.listen({ port: 0, host: '127.0.0.1' })
const text = `shop,price\n${Array.from({ length: 2000 }, (_, at) => `Shop ${at},${at}.50\n`).join('')}`
const bytes = Buffer.byteLength(text)
const PIECE = Math.ceil(bytes / 4)

let staff: SignedIn
let productId: string

beforeAll(async () => {
  staff = await signIn('staff')
  productId = (await makeProduct()).id
})

async function begin(): Promise<string> {
  const base64 = (value: string) => Buffer.from(value).toString('base64')
  const metadata = `productId ${base64(productId)},filename ${base64('prices.csv')}`
  const headers = { ...staff.headers, 'tus-resumable': '1.0.0', 'upload-length': String(bytes), 'upload-metadata': metadata }
  return String((await app.inject({ method: 'POST', url: UPLOADS, headers })).headers['location']).replace(`${UPLOADS}/`, '')
}

type Line = { breaks?: ('before' | 'after')[]; onSend?: (offset: number) => unknown }

/** An unreliable connection: it fails before a chunk arrives, or before the response does. */
function over({ breaks = [], onSend }: Line): HttpStack {
  const stack = new DefaultHttpStack({})
  return {
    getName: () => 'unreliable',
    createRequest(method, url) {
      const request = stack.createRequest(method, url)
      const send = request.send.bind(request)
      request.send = async (body) => {
        if (method !== 'PATCH') return send(body)
        const broken = breaks.shift()
        if (broken === 'before') throw new Error('Connection lost.')
        onSend?.(Number(request.getHeader('Upload-Offset')))
        const response = await send(body)
        if (broken === 'after') throw new Error('Connection lost.')
        return response
      }
      return request
    },
  }
}

/** A sender that retries without delay, and the states it reported. */
function sender(id: string, line: Line = {}) {
  const told: SendProgress[] = []
  const waits: number[] = []
  const made = new UploadSender({
    bytes,
    chunkBytes: PIECE,
    uploadUrl: `${site}${UPLOADS}/${id}`,
    open: async (options) => new Upload(Buffer.from(text), { ...options, headers: staff.headers, httpStack: over(line) }),
    onProgress: (progress) => told.push(progress),
    now: () => told.length * 1000,
    later(callback, ms) {
      waits.push(ms)
      const soon = setImmediate(callback)
      return () => clearImmediate(soon)
    },
  })
  const until = async (kind: SendProgress['state']['kind']) => expect.poll(() => told.at(-1)?.state.kind).toBe(kind)
  return { made, told, waits, until }
}

async function offsetOf(id: string): Promise<number> {
  const { headers } = await app.inject({ method: 'HEAD', url: `${UPLOADS}/${id}`, headers: { ...staff.headers, 'tus-resumable': '1.0.0' } })
  return Number(headers['upload-offset'])
}

const stored = (id: string) => db.selectFrom('datasetVersions').select('originalSha256').where('id', '=', id).executeTakeFirst()
const whole = { originalSha256: createHash('sha256').update(text).digest('hex') }

describe('happy', () => {
  test('a file arrives whole, piece by piece, with its speed on the way', async () => {
    const id = await begin()
    const offsets: number[] = []
    const { made, told, until } = sender(id, { onSend: (offset) => offsets.push(offset) })
    await made.go()
    await until('arrived')
    expect(offsets).toEqual([0, PIECE, 2 * PIECE, 3 * PIECE])
    expect(told.at(-1)).toEqual({ sent: bytes, bytes, state: { kind: 'arrived' } })
    expect(told.some(({ state }) => state.kind === 'sending' && (state.perSecond ?? 0) > 0)).toBe(true)
    expect(await stored(id)).toEqual(whole)
  })

  test('paused, it sends nothing more; resumed, nothing that has arrived is sent again', async () => {
    const id = await begin()
    const offsets: number[] = []
    const { made, until } = sender(id, {
      onSend(offset) {
        offsets.push(offset)
        if (offsets.length === 2) made.pause()
      },
    })
    await made.go()
    await until('paused')
    const arrived = await offsetOf(id)
    expect(arrived).toBeGreaterThanOrEqual(PIECE)
    expect([offsets, await stored(id)]).toEqual([[0, PIECE], undefined])
    await made.go()
    await until('arrived')
    // The piece that was being sent may have been stored after the pause.
    expect([arrived, arrived + PIECE]).toContain(offsets[2])
    expect(await stored(id)).toEqual(whole)
  })

  test('after the window was closed another one goes on where the server stands', async () => {
    const id = await begin()
    const first = sender(id, { onSend: (offset) => offset > 0 && first.made.end() })
    await first.made.go()
    await expect.poll(() => offsetOf(id)).toBeGreaterThanOrEqual(PIECE)
    const offsets: number[] = []
    const second = sender(id, { onSend: (offset) => offsets.push(offset) })
    await second.made.go()
    await second.until('arrived')
    expect(offsets[0]).toBeGreaterThanOrEqual(PIECE)
    expect(await stored(id)).toEqual(whole)
  })
})

describe('error', () => {
  test('a line that breaks before and after pieces, also after the last one, costs waiting and nothing else', async () => {
    const id = await begin()
    const { made, until, waits } = sender(id, { breaks: ['before', 'before', 'after', 'after', 'before', 'after', 'after'] })
    await Promise.all([made.go(), until('arrived')])
    expect(await stored(id)).toEqual(whole)
    expect(waits.slice(0, 3)).toEqual([1000, 2000, 5000])
  })

  test('two windows that send one file do not harm it', async () => {
    const id = await begin()
    const [one, other] = [sender(id), sender(id)]
    await Promise.all([one.made.go(), other.made.go(), one.until('arrived'), other.until('arrived')])
    expect(await stored(id)).toEqual(whole)
  })

  test('what the server refuses ends it, with the reason', async () => {
    const id = await begin()
    await app.inject({ method: 'DELETE', url: `${UPLOADS}/${id}`, headers: { ...staff.headers, 'tus-resumable': '1.0.0' } })
    const { made, told, waits, until } = sender(id)
    await made.go()
    await until('failed')
    expect(told.at(-1)?.state).toMatchObject({ error: { status: 404, detail: 'There is no such upload.' } })
    expect(waits).toEqual([])
  })

  test('a file that is not the one whose beginning has arrived is named', () => {
    const kept = { id: '1', fileName: 'prices.csv', bytes: 100, modified: 5 }
    const file = { name: 'prices.csv', size: 100, lastModified: 5 }
    expect(differenceTo(kept, file)).toBeUndefined()
    expect(differenceTo(kept, { ...file, name: 'other.csv' })).toContain('This is other.csv')
    expect(differenceTo(kept, { ...file, size: 101 })).toContain('has changed')
    expect(differenceTo(kept, { ...file, lastModified: 6 })).toContain('has changed')
  })
})
