import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { db, transaction } from '#app/platform/database/db.server.ts'
import { closeDatabase, openDatabase } from '#app/platform/database/open.server.ts'
import { env } from '#app/platform/env.server.ts'
import { behindSentence, continueAfter, keepNumberFiles, listHighestNumbers, storeNumber } from './invoice-numbers.server.ts'

await openDatabase()
afterAll(closeDatabase)

const series = (name: string) => db.selectFrom('invoiceCounters').select('last').where('series', '=', name).execute()

test('the highest number of each series and year outside of the database counts, and a counter that is ahead stays', async () => {
  for (const serial of [9, 10, 2]) await storeNumber({ series: 'INV-', year: 2026, serial }, { serial })
  await storeNumber({ series: '', year: 2025, serial: 7 }, {})
  writeFileSync(path.join(env.DATA_DIR, 'files/invoice-numbers/notes.txt'), 'none of ours')
  const highest = await listHighestNumbers(env.DATA_DIR)
  expect(highest.toSorted((one, other) => one.year - other.year)).toEqual([
    { series: '', year: 2025, serial: 7 },
    { series: 'INV-', year: 2026, serial: 10 },
  ])
  await db.insertInto('invoiceCounters').values({ series: '', year: 2025, last: 8, lastOn: '2025-12-01' }).execute()
  const behind = await transaction((trx) => continueAfter(trx, highest))
  expect(behindSentence(behind)).toBe(' Invoices were issued after this backup, so the next number is INV-2026-0011.')
  expect([await series(''), await series('INV-')]).toEqual([[{ last: 8 }], [{ last: 10 }]])
  expect(behindSentence(await transaction((trx) => continueAfter(trx, highest)))).toBe('')

  // Restored files replace those of today, and the numbers of today go along.
  const aside = path.join(env.DATA_DIR, 'aside')
  mkdirSync(aside)
  keepNumberFiles(env.DATA_DIR, aside)
  expect(await listHighestNumbers(aside)).toHaveLength(2)
  rmSync(aside, { recursive: true })
})
