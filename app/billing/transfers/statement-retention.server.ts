import { z } from 'zod'
import { businessDay, daysLater } from '#app/platform/time/business-day.ts'
import { billing } from '#app/content/billing.server.ts'
import { db } from '#app/platform/database/db.server.ts'
import { defineJob } from '#app/platform/jobs.server.ts'

/** Lines that staff ignored are about people who are no customers. A statement that is imported again asks about them again. */
const IGNORED_DAYS = 400

/** Deletes lines of bank statements, which name people: ignored ones after a year, booked ones with the invoices that they paid. */
export async function deleteOldStatements(at = new Date()): Promise<void> {
  const today = businessDay(at, billing.zone)
  const firstKept = `${Number(today.slice(0, 4)) - billing.keepYears}-01-01`
  await db
    .deleteFrom('bankLines')
    .where((of) =>
      of.or([
        of.and([of('state', '=', 'ignored'), of('bookedOn', '<', daysLater(today, -IGNORED_DAYS))]),
        of.and([of('state', '=', 'booked'), of('bookedOn', '<', firstKept)]),
      ]),
    )
    .execute()
  await db
    .deleteFrom('bankFiles')
    .where('createdAt', '<', new Date(at.getTime() - IGNORED_DAYS * 86_400_000))
    .where((of) => of.not(of.exists(of.selectFrom('bankLines').select('id').whereRef('fileId', '=', 'bankFiles.id'))))
    .execute()
}

defineJob('transfers.retention', z.unknown(), () => deleteOldStatements(), { every: 'day' })
