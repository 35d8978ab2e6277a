import { execFile } from 'node:child_process'
import { readFileSync } from 'node:fs'
import path from 'node:path'
import { Readable } from 'node:stream'
import { promisify } from 'node:util'
import { gunzipSync } from 'node:zlib'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { newId } from '#app/platform/database/db.server.ts'
import { env } from '#app/platform/env.server.ts'
import { openRowFile, type RowFileShape, writeRowFile } from './row-file.server.ts'
import { parsedRows, textOfLines } from './row-lines.ts'

const run = promisify(execFile)

async function* blocksOf(rows: readonly string[], blockRows: number): AsyncGenerator<string> {
  for (let at = 0; at < rows.length; at += blockRows)
    yield rows
      .slice(at, at + blockRows)
      .map((row) => `${row}\n`)
      .join('')
}

async function keepRows(rows: readonly string[], blockRows: number): Promise<{ place: string; shape: RowFileShape }> {
  const [place, shape] = [path.join(env.DATA_DIR, newId()), { rows: rows.length, blockRows }]
  await writeRowFile(place, shape, blocksOf(rows, blockRows))
  return { place, shape }
}

describe('happy', () => {
  test('any rows, null, empty, of any characters or very long, are read as they were written', async () => {
    const value = fc.oneof(fc.jsonValue(), fc.string({ unit: 'binary' }), fc.constantFrom(null, '', '\u2028', 'a\r\nb', '𝄞'.repeat(20_000)))
    const given = fc.array(fc.dictionary(fc.string(), value), { minLength: 1, maxLength: 40 })
    await fc.assert(
      fc.asyncProperty(given, fc.integer({ min: 1, max: 9 }), async (rows, blockRows) => {
        const texts = rows.map((row) => JSON.stringify(row))
        const { place, shape } = await keepRows(texts, blockRows)
        await using file = await openRowFile(place, shape)
        const lines = await file.read(0, rows.length)
        expect(textOfLines(lines)).toBe(texts.map((text) => `${text}\n`).join(''))
        expect(parsedRows(textOfLines(lines)).map((row) => JSON.stringify(row))).toEqual(texts)
      }),
      { numRuns: 25 },
    )
  })

  test('any rows that follow one another, and any others in any order, come with their length in bytes', async () => {
    const rows = Array.from({ length: 37 }, (_, at) => JSON.stringify({ at, note: 'é'.repeat(at % 7) }))
    const { place, shape } = await keepRows(rows, 5)
    await using file = await openRowFile(place, shape)
    for (const [from] of rows.entries())
      for (let to = from + 1; to <= rows.length; to += 1) {
        const right = rows
          .slice(from, to)
          .map((row) => `${row}\n`)
          .join('')
        const lines = await file.read(from, to)
        expect([from, to, lines.bytes, textOfLines(lines)]).toEqual([from, to, Buffer.byteLength(right), right])
      }
    const places = rows.map((_, at) => (at * 23) % rows.length)
    expect(textOfLines(await file.pick(places))).toBe(places.map((at) => `${rows[at]}\n`).join(''))
  })

  test('the blocks are JSON Lines to any program that unpacks gzip; after them come the index, the numbers and the name of the format', async () => {
    const rows = ['{"a":1}', '{"a":"ü"}', '{"a":null}']
    const { place } = await keepRows(rows, 2)
    const bytes = readFileSync(place)
    const footer = bytes.subarray(-19)
    expect([footer.readBigUInt64LE(), footer.readUInt32LE(8), footer.toString('latin1', 12)]).toEqual([3n, 2, 'WNROWS3'])
    const index = bytes.subarray(-19 - 2 * 12, -19)
    expect(gunzipSync(bytes.subarray(0, Number(index.readBigUInt64LE(12)))).toString()).toBe('{"a":1}\n{"a":"ü"}\n{"a":null}\n')
  })

  test('a file without rows is a file too', async () => {
    const { place, shape } = await keepRows([], 100)
    await using file = await openRowFile(place, shape)
    expect(textOfLines(await file.read(0, 0))).toBe('')
  })
})

describe('performance', () => {
  test('a page with a row of each of many blocks does not hold the blocks in memory', async () => {
    const [blocks, blockRows] = [500, 100]
    const block = `${JSON.stringify({ note: 'a'.repeat(2500) })}\n`.repeat(blockRows)
    const [place, shape] = [path.join(env.DATA_DIR, newId()), { rows: blocks * blockRows, blockRows }]
    await writeRowFile(place, shape, Readable.from(Array.from({ length: blocks }, () => block)))
    // All blocks have 125 MB. A process that needs more memory than allowed dies.
    const script = `
      import { openRowFile } from '#app/datasets/rows/row-file.server.ts'
      await using file = await openRowFile(${JSON.stringify(place)}, ${JSON.stringify(shape)})
      const lines = await file.pick(Array.from({ length: ${blocks} }, (_, at) => at * ${blockRows} + 7))
      process.stdout.write(String(lines.bytes))`
    const { stdout } = await run(process.execPath, ['--max-old-space-size=64', '--input-type=module', '--eval', script])
    expect(Number(stdout)).toBe((blocks * block.length) / blockRows)
  })
})

describe('error', () => {
  test('a file of other rows is none, and one with too few or too many blocks is not finished', async () => {
    const { place, shape } = await keepRows(['{"a":1}', '{"a":2}'], 1)
    const others = [
      { ...shape, rows: 3 },
      { ...shape, blockRows: 2 },
    ]
    for (const other of others) await expect(openRowFile(place, other)).rejects.toThrow('no file of these rows')
    const write = (rows: number) => writeRowFile(`${place}-${rows}`, { rows, blockRows: 1 }, blocksOf(['{"a":1}', '{"a":2}'], 1))
    await expect(write(3)).rejects.toThrow('not complete')
    await expect(write(1)).rejects.toThrow('out of range')
  })
})
