import fc from 'fast-check'
import { afterAll, expect, test } from 'vitest'
import { queryDuckdb, closeEngine } from './engine.server.ts'
import { formulaSql, guarded, isFormula } from '#app/platform/tables/formula-guard.ts'

afterAll(closeEngine)

test('the server and the engine of datasets agree which cells a spreadsheet would run', async () => {
  const sign = fc.constantFrom(...Array.from('=+-@\t\n\r 0123456789()[].,;a"\'Ä'))
  const texts = fc.sample(fc.string({ unit: sign, maxLength: 6 }), { seed: 7, numRuns: 400 })
  const wanted = texts.map(isFormula)
  const given = JSON.stringify(texts)
  const inDuckDb = await queryDuckdb(
    `SELECT coalesce(${formulaSql('text')}, false) AS found FROM (SELECT unnest(from_json($1, '["VARCHAR"]')) AS text)`,
    [given],
  )
  expect(inDuckDb.map(({ found }) => found)).toEqual(wanted)
  expect(wanted.filter(Boolean).length).toBeGreaterThan(50)
})

test.each([
  ['=1+1', "'=1+1"],
  ['+49 (30) 123-45.6', '+49 (30) 123-45.6'],
  ['+', '+'],
  ["+1+cmd|' /C calc'!A0", "'+1+cmd|' /C calc'!A0"],
  ['-1', "'-1"],
  ['plain', 'plain'],
  ['', ''],
])('%j becomes %j', (text, cell) => expect(guarded(text)).toBe(cell))
