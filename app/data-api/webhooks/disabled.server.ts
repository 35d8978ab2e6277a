import { notificationJob } from '#app/account/notifications/notification.server.ts'
import { businessAddress, ownerEmail } from '#app/auth/users/account.server.ts'
import { audit } from '#app/auth/users/audit.server.ts'
import { emailJob } from '#app/mail/outbox.server.ts'
import type { Trx } from '#app/platform/database/db.server.ts'
import { enqueue } from '#app/platform/jobs.server.ts'
import type { Row } from '#db/tables.ts'
import { endpointDisabledEmail } from './endpoint-disabled.email.tsx'

type Failing = { since: Date; reason: string }

/** Disables an endpoint that keeps failing, once, and tells the owner by email and in the bell. */
export async function disableFailing(trx: Trx, { id, label }: Row<'webhookEndpoints'>, { since, reason }: Failing): Promise<void> {
  const disabledAt = new Date()
  const disabled = await trx
    .updateTable('webhookEndpoints')
    .set({ disabledAt, disabledBecause: 'failures' })
    .where('id', '=', id)
    .where('disabledAt', 'is', null)
    .returning('id')
    .executeTakeFirst()
  if (!disabled) return
  const { owner } = await trx.selectNoFrom(ownerEmail().as('owner')).executeTakeFirstOrThrow()
  await audit(trx, 'webhook_disabled', { subjectId: id, detail: { label, since: since.toISOString() } })
  const notice = notificationJob({
    kind: 'webhook_disabled',
    title: `Webhook endpoint disabled: ${label}`.slice(0, 200),
    body: reason.slice(0, 300),
    link: '/admin/webhooks',
    subjectId: id,
    dedupeKey: `webhook_disabled:${id}:${disabledAt.toISOString()}`,
    to: { roles: ['owner'] },
  })
  const email = endpointDisabledEmail(businessAddress(owner), { label, since: since.toISOString(), reason })
  await enqueue(trx, emailJob(email), notice)
}
