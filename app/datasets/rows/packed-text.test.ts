import { randomBytes } from 'node:crypto'
import path from 'node:path'
import { crc32, gunzipSync } from 'node:zlib'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { newId } from '#app/platform/database/db.server.ts'
import { env } from '#app/platform/env.server.ts'
import { shiftedChecksum } from './checksum.ts'
import { release } from './packed-text.server.ts'
import { openRowFile, type RowFile, SEPARATOR, writeRowFile } from './row-file.server.ts'

async function keepRows(rows: readonly string[], blockRows: number): Promise<RowFile> {
  const file = path.join(env.DATA_DIR, newId())
  const blocks = async function* () {
    for (let at = 0; at < rows.length; at += blockRows) yield rows.slice(at, at + blockRows).join(SEPARATOR)
  }
  await writeRowFile(file, { blockRows, rows: rows.length }, blocks(), () => undefined)
  return openRowFile(file)
}

/** How much the memory of buffers grows by the work, which is too little for a garbage collection. */
async function bytesLeftBy(work: () => Promise<unknown>): Promise<number> {
  const { arrayBuffers } = process.memoryUsage()
  await work()
  return process.memoryUsage().arrayBuffers - arrayBuffers
}

const [before, after] = [`{"data":[`, `],"nextCursor":null}`]

describe('happy', () => {
  test('any rows are the same with gzip, and come as they are stored if a whole block is among them', async () => {
    const rows = Array.from({ length: 37 }, (_, at) => JSON.stringify({ at, note: 'é'.repeat(at % 7), more: (at * 7919) % 101 }))
    const file = await keepRows(rows, 5)
    const ranges = rows.flatMap((_, from) => rows.slice(from).map((__, count) => [from, from + count + 1] as const))
    for (const [from, to] of ranges) {
      const right = rows.slice(from, to).join(SEPARATOR)
      const text = await file.read(from, to)
      expect([from, to, text.bytes, String(await text.whole())]).toEqual([from, to, Buffer.byteLength(right), right])
      const packed = (await file.read(from, to)).gzip(Buffer.from(before), Buffer.from(after))
      const hasWholeBlock = Math.ceil(from / 5) < (to === rows.length ? Math.ceil(to / 5) : Math.floor(to / 5))
      const sent = packed && String(gunzipSync(Buffer.concat(packed)))
      expect([from, to, sent]).toEqual([from, to, hasWholeBlock ? before + right + after : undefined])
    }
  })

  test('very long rows are cut, unpacked and packed like short ones', async () => {
    const rows = Array.from({ length: 9 }, (_, at) => JSON.stringify({ at, text: String(at).repeat(90_000) }))
    const file = await keepRows(rows, 3)
    const right = rows.slice(1, 8).join(SEPARATOR)
    expect(String(await (await file.read(1, 8)).whole())).toBe(right)
    const packed = (await file.read(1, 8)).gzip(Buffer.from(before), Buffer.from(after)) ?? []
    expect(String(gunzipSync(Buffer.concat(packed)))).toBe(`${before}${right}${after}`)
  })

  test('rows of a file of many blocks are found in any order, also by many readers at once', async () => {
    const rows = Array.from({ length: 2_000 }, (_, at) => JSON.stringify({ at }))
    const file = await keepRows(rows, 2)
    const places = rows.map((_, at) => (at * 7919) % rows.length)
    const right = places.map((place) => rows[place]).join(SEPARATOR)
    const found = await Promise.all([file.pick(places), file.pick(places), file.read(500, 1_500).then((text) => text.whole())])
    expect(found.map(String)).toEqual([right, right, rows.slice(500, 1_500).join(SEPARATOR)])
  })

  test('rows from many places, and pages that begin or end within blocks, leave no memory of other rows behind', async () => {
    const blocks = Array.from({ length: 100 }, (_, at) => at * 4)
    const noise = () => randomBytes(48 * 1024).toString('base64')
    const rows = blocks.flatMap((at) => [{ at, noise: noise() }, { at: at + 1 }, { at: at + 2 }, { at: at + 3 }])
    const file = await keepRows(
      rows.map((row) => JSON.stringify(row)),
      4,
    )
    const send = async (from: number, to: number) => {
      for (const piece of (await file.read(from, to)).pieces()) release(piece)
    }
    const left = [
      await bytesLeftBy(() => file.pick(blocks.map((at) => at + 1))),
      await bytesLeftBy(() => Promise.all(blocks.map((at) => send(at + 1, at + 4)))),
      await bytesLeftBy(() => Promise.all(blocks.slice(1).map((at) => send(at - 3, at + 4)))),
      await bytesLeftBy(() => Promise.all(blocks.slice(1).map((at) => send(at - 4, at + 2)))),
    ]
    expect(left.filter((bytes) => bytes > 2 ** 20)).toEqual([])
  })

  test('checksums of two texts make that of both', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 3000 }), fc.uint8Array({ maxLength: 3000 }), (one, other) => {
        const both = crc32(Buffer.concat([one, other]))
        expect((shiftedChecksum(crc32(one), other.length) ^ crc32(other)) >>> 0).toBe(both)
      }),
    )
  })
})

describe('error', () => {
  test('released memory is empty, and memory that is shared with other buffers stays', () => {
    const own = Buffer.allocUnsafeSlow(100_000)
    release(own)
    expect(own.length).toBe(0)
    const [one, other] = [Buffer.from('a short text'), Buffer.from('another one')]
    release(one)
    release(other.subarray(2))
    release(Buffer.alloc(100_000).subarray(0, 50_000))
    expect([String(one), String(other)]).toEqual(['a short text', 'another one'])
  })
})
