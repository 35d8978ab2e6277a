import { notificationJob } from '#app/account/notifications/notification.server.ts'
import type { Trx } from '#app/platform/database/db.server.ts'
import { enqueue } from '#app/platform/jobs.server.ts'
import type { Row } from '#db/tables.ts'
import { correspondentOf } from './match-lead.server.ts'

type Received = Pick<Row<'leadMessages'>, 'id' | 'kind' | 'fromName' | 'fromAddress' | 'replyToName' | 'replyToAddress' | 'subject'>

/** Tells the owner of a lead that an email about it came, or all staff where it has none. In the transaction of the email. */
export async function tellOfReply(trx: Trx, contactId: string, message: Received): Promise<void> {
  const lead = await trx
    .selectFrom('contacts')
    .innerJoin('leads', 'leads.contactId', 'contacts.id')
    .select(['contacts.reference', 'leads.ownerId'])
    .where('contacts.id', '=', contactId)
    .executeTakeFirstOrThrow()
  const isBounce = message.kind === 'bounce'
  const { name, address } = correspondentOf(message)
  const from = name || address || 'an unknown sender'
  await enqueue(
    trx,
    notificationJob({
      kind: isBounce ? 'email_failed' : 'reply',
      title: (isBounce ? `Email about ${lead.reference} came back` : `Reply from ${from}`).slice(0, 200),
      body: [message.subject, lead.reference].filter(Boolean).join(' · ').slice(0, 300),
      link: `/leads/${lead.reference}`,
      subjectId: contactId,
      dedupeKey: `reply:${message.id}`,
      to: lead.ownerId ? { userIds: [lead.ownerId] } : { roles: ['staff', 'owner'] },
    }),
  )
}
