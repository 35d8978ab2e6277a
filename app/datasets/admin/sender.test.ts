import { createHash } from 'node:crypto'
import { beforeAll, describe, expect, test } from 'vitest'
import { PIECE_TYPE } from '#app/datasets/import/piece.ts'
import { db } from '#app/platform/database/db.server.ts'
import { startEndpoints } from '#test/app.ts'
import { makeProduct, signIn, type SignedIn } from '#test/factories.ts'
import { differenceTo } from './kept-upload.ts'
import { type Carrier, type SendProgress, UploadSender, Setback } from './sender.ts'

const app = await startEndpoints()
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
  const payload = { fileName: 'prices.csv', bytes, changes: '' }
  const { headers } = staff
  return (await app.inject({ method: 'POST', url: `/api/data-products/${productId}/uploads`, headers, payload })).json<{ id: string }>().id
}

type Line = { breaks?: ('before' | 'after')[]; onSend?: (offset: number) => void }

/** The real endpoints behind an unreliable connection: it fails before a chunk arrives, or before the response does. */
function over(id: string, { breaks = [], onSend }: Line = {}): Carrier {
  const url = `/api/uploads/${id}`
  const told = ({ statusCode, headers }: { statusCode: number; headers: Record<string, unknown> }) => {
    if (statusCode !== 200 && statusCode !== 409) throw new Error(`refused with ${statusCode}`)
    return { received: Number(headers['upload-offset']) }
  }
  return {
    find: async () => told(await app.inject({ url, headers: staff.headers })),
    async send({ offset, data, onProgress }) {
      const broken = breaks.shift()
      if (broken === 'before') throw new Setback('Connection lost.')
      onSend?.(offset)
      onProgress(data.size)
      const headers = { ...staff.headers, 'content-type': PIECE_TYPE, 'upload-offset': String(offset) }
      const answer = await app.inject({ method: 'PATCH', url, headers, payload: Buffer.from(await data.arrayBuffer()) })
      if (broken === 'after') throw new Setback('Connection lost.')
      return told(answer)
    },
  }
}

/** A sender that retries without delay, and the states it reported. */
function sender(carrier: Carrier) {
  const told: SendProgress[] = []
  const waits: number[] = []
  const made = new UploadSender({
    file: new Blob([text]),
    received: 0,
    pieceBytes: PIECE,
    carrier,
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

const stored = (id: string) => db.selectFrom('datasetVersions').select('originalSha256').where('id', '=', id).executeTakeFirst()
const whole = { originalSha256: createHash('sha256').update(text).digest('hex') }

describe('happy', () => {
  test('a file arrives whole, piece by piece, with its speed on the way', async () => {
    const id = await begin()
    const offsets: number[] = []
    const { made, told } = sender(over(id, { onSend: (offset) => offsets.push(offset) }))
    await made.go()
    expect(offsets).toEqual([0, PIECE, 2 * PIECE, 3 * PIECE])
    expect(told.at(-1)).toEqual({ sent: bytes, bytes, state: { kind: 'arrived' } })
    expect(told.some(({ state }) => state.kind === 'sending' && (state.perSecond ?? 0) > 0)).toBe(true)
    expect(await stored(id)).toEqual(whole)
  })

  test('paused, it sends nothing more; resumed, nothing that has arrived is sent again', async () => {
    const id = await begin()
    const offsets: number[] = []
    const { made, until } = sender(
      over(id, {
        onSend(offset) {
          offsets.push(offset)
          if (offsets.length === 2) made.pause()
        },
      }),
    )
    await made.go()
    await until('paused')
    expect(offsets).toEqual([0, PIECE])
    expect(await stored(id)).toBeUndefined()
    await made.go()
    expect(offsets).toEqual([0, PIECE, 2 * PIECE, 3 * PIECE])
    expect(await stored(id)).toEqual(whole)
  })

  test('after the window was closed another one goes on where the server stands', async () => {
    const id = await begin()
    const first = sender(over(id, { onSend: () => first.made.end() }))
    await first.made.go()
    const offsets: number[] = []
    await sender(over(id, { onSend: (offset) => offsets.push(offset) })).made.go()
    expect(offsets[0]).toBe(PIECE)
    expect(await stored(id)).toEqual(whole)
  })
})

describe('error', () => {
  test('a line that breaks before and after pieces, also after the last one, costs waiting and nothing else', async () => {
    const id = await begin()
    const { made, until, waits } = sender(over(id, { breaks: ['before', 'before', 'after', 'after', 'before', 'after', 'after'] }))
    void made.go()
    await until('arrived')
    expect(await stored(id)).toEqual(whole)
    expect(waits.slice(0, 3)).toEqual([1000, 2000, 5000])
  })

  test('two windows that send one file do not harm it', async () => {
    const id = await begin()
    const [one, other] = [sender(over(id)), sender(over(id))]
    void one.made.go()
    void other.made.go()
    await Promise.all([one.until('arrived'), other.until('arrived')])
    expect(await stored(id)).toEqual(whole)
  })

  test('what the server refuses ends it, with the reason', async () => {
    const id = await begin()
    await app.inject({ method: 'DELETE', url: `/api/uploads/${id}`, headers: staff.headers })
    const { made, told, waits } = sender(over(id))
    await made.go()
    expect(told.at(-1)?.state).toEqual({ kind: 'failed', error: new Error('refused with 404') })
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
