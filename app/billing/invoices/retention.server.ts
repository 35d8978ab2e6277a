import { z } from 'zod'
import { businessDay } from '#app/platform/time/business-day.ts'
import { billing } from '#app/content/billing.server.ts'
import { db } from '#app/platform/database/db.server.ts'
import { defineJob } from '#app/platform/jobs.server.ts'
import { removeFile } from '#app/platform/storage/storage.server.ts'
import { invoiceFile } from './make.server.ts'

/** In one run, so that years of them do not hold up other work. */
const MOST_DELETED = 200

/**
 * Deletes invoices that the law no longer asks for, with their files: the years of the settings have passed after the year of issue. Those of one
 * order go together, because credit notes name what they are about. Their numbers stay taken.
 */
export async function deleteOldInvoices(at = new Date()): Promise<void> {
  const firstKept = Number(businessDay(at, billing.zone).slice(0, 4)) - billing.keepYears
  const old = await db
    .selectFrom('invoices')
    .select('orderId')
    .distinct()
    .where('year', '<', firstKept)
    .where('isTest', '=', false)
    .where('orderId', 'not in', (of) => of.selectFrom('invoices').select('orderId').where('year', '>=', firstKept))
    .limit(MOST_DELETED)
    .execute()
  if (old.length === 0) return
  const orderIds = old.map(({ orderId }) => orderId)
  const rows = await db.selectFrom('invoices').select('id').where('orderId', 'in', orderIds).execute()
  for (const { id } of rows) for (const kind of ['pdf', 'xml'] as const) await removeFile(invoiceFile(id, kind))
  await db.deleteFrom('invoices').where('orderId', 'in', orderIds).execute()
}

defineJob('invoices.retention', z.unknown(), () => deleteOldInvoices(), { every: 'day' })
