import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { openSettings } from '#app/content/settings/settings.server.ts'
import { backUp } from '#app/ops/backup.server.ts'
import { behindSentence, storeNumber } from '#app/ops/invoice-numbers.server.ts'
import { restore } from '#app/ops/restore.server.ts'
import { db, transaction } from '#app/platform/database/db.server.ts'
import { closeDatabase, openDatabase } from '#app/platform/database/open.server.ts'
import { berlin, makeCompany, makeOrder, saveBilling } from '#test/invoices.ts'
import { issueInvoice } from './invoice.server.ts'

const folder = mkdtempSync(path.join(tmpdir(), 'winnow-numbers-'))
const file = path.join(folder, 'backup.tar.gz')
afterAll(async () => {
  await closeDatabase()
  rmSync(folder, { recursive: true, force: true })
})

const at = new Date('2026-11-29T12:00:00Z')

/** Issues an invoice and writes its number out, as the job does before its document leaves. */
async function issue(): Promise<string> {
  const order = await makeOrder(await makeCompany())
  const { id, number } = await transaction((trx) => issueInvoice(trx, order.id, 'invoice', at))
  const row = await db.selectFrom('invoices').select(['series', 'year', 'serial']).where('id', '=', id).executeTakeFirstOrThrow()
  await storeNumber(row, { number })
  return number
}

test('after a backup that is ten invoices old is restored, twice, the next number follows the highest that was ever issued', async () => {
  await openDatabase()
  await openSettings(() => undefined)
  await saveBilling(berlin)
  expect([await issue(), await issue(), await issue()].at(-1)).toBe('INV-2026-0003')
  await closeDatabase()
  await backUp(file)

  await openDatabase()
  const lost = []
  for (let count = 0; count < 10; count += 1) lost.push(await issue())
  expect(lost.at(-1)).toBe('INV-2026-0013')
  await closeDatabase()

  for (const _round of [1, 2]) {
    const { behind } = await restore(file, { force: true })
    expect(behindSentence(behind)).toBe(' Invoices were issued after this backup, so the next number is INV-2026-0014.')
  }
  await openDatabase()
  expect(await db.selectFrom('invoices').select('number').execute()).toHaveLength(3)
  expect([await issue(), await issue()]).toEqual(['INV-2026-0014', 'INV-2026-0015'])
})
