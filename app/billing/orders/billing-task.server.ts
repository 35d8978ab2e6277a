import { notificationJob } from '#app/account/notifications/notification.server.ts'
import { newId, type Trx } from '#app/platform/database/db.server.ts'
import { now } from '#app/platform/database/sql.server.ts'
import { enqueue } from '#app/platform/jobs.server.ts'
import type { NewRow, Row } from '#db/tables.ts'

type Given = Pick<NewRow<'billingTasks'>, 'kind' | 'title'> & { about: string } & Partial<
    Pick<NewRow<'billingTasks'>, 'ours' | 'theirs' | 'orderId' | 'paymentId' | 'subscriptionId' | 'isTest' | 'askedBy'>
  >

type Closed = Pick<Row<'billingTasks'>, 'about'> | Pick<Row<'billingTasks'>, 'kind' | 'orderId'>

/** Closes what staff were asked about, because it has been decided elsewhere. */
export async function closeBillingTask(trx: Trx, closed: Closed, note: string, doneBy?: string): Promise<void> {
  await trx
    .updateTable('billingTasks')
    .set({ doneAt: now, doneBy: doneBy ?? null, note })
    .where((of) => of.and(closed))
    .where('doneAt', 'is', null)
    .execute()
}

/** Leaves something for staff to decide, once for what it is about, and tells them, but not the person who asks for it. `link`: where it is decided. */
export async function addBillingTask(trx: Trx, given: Given, link = '/admin/billing?tab=tasks'): Promise<void> {
  const added = await trx
    .insertInto('billingTasks')
    .values({ id: newId(), ...given })
    .onConflict((conflict) => conflict.column('about').doNothing())
    .returning('id')
    .executeTakeFirst()
  if (!added) return
  await enqueue(
    trx,
    notificationJob({
      kind: 'payment_problem',
      title: given.title.slice(0, 200),
      body: [given.ours, given.theirs].filter(Boolean).join(' · ').slice(0, 300),
      link,
      subjectId: added.id,
      dedupeKey: `billing_task:${given.about}`,
      to: { roles: ['staff', 'owner'] },
      ...(given.askedBy && { by: given.askedBy }),
    }),
  )
}
