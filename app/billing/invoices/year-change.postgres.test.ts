import { expect, test } from 'vitest'
import { db, transaction } from '#app/platform/database/db.server.ts'
import { startEndpoints } from '#test/app.ts'
import { berlin, makeCompany, makeOrder, saveBilling } from '#test/invoices.ts'
import { connectDatabase } from '#app/platform/database/connect.server.ts'
import { env } from '#app/platform/env.server.ts'
import { byLength } from '#test/length.ts'
import { issueInvoice } from './invoice.server.ts'

await startEndpoints()

test('two processes that issue invoices around midnight of the business use no number twice and leave none out', async () => {
  await saveBilling(berlin)
  const count = byLength(20, 200)
  const buyer = await makeCompany()
  const orders = []
  for (let made = 0; made < 2 * count; made += 1) orders.push(await makeOrder(buyer))
  // A second process has connections of its own.
  const other = await connectDatabase({ url: env.DATABASE_URL ?? '' })
  const midnight = Date.parse('2030-12-31T23:00:00Z')
  const moment = (at: number) => new Date(midnight + (at - count) * 100 + (at % 7) * 300)
  try {
    await Promise.all(
      orders.map((order, at) =>
        at % 2 === 0
          ? transaction((trx) => issueInvoice(trx, order.id, 'invoice', moment(at)))
          : other.kysely.transaction().execute((trx) => issueInvoice(trx, order.id, 'invoice', moment(at))),
      ),
    )
  } finally {
    await other.close()
  }
  const rows = await db.selectFrom('invoices').select(['year', 'serial', 'issuedOn']).where('year', '>=', 2030).orderBy('serial').execute()
  expect(rows).toHaveLength(2 * count)
  for (const year of [2030, 2031]) {
    const own = rows.filter((row) => row.year === year)
    expect(own.map(({ serial }) => serial)).toEqual(own.map((_row, at) => at + 1))
    expect(new Set(own.map(({ issuedOn }) => issuedOn))).toEqual(new Set([year === 2030 ? '2030-12-31' : '2031-01-01']))
  }
})
