import { nameOf } from '#app/auth/users/user-name.ts'
import { currentAccounts } from '#app/auth/users/account.server.ts'
import { findCallUrl } from '#app/leads/lead/call-link.server.ts'
import { toLeadFile, readMessages } from './message.server.ts'
import { db } from '#app/platform/database/db.server.ts'
import { env, isInboxOpen } from '#app/platform/env.server.ts'
import { senderAddress } from '#app/mail/outbox.server.ts'
import { stop } from '#app/platform/errors/stop.ts'
import type { ReplyFacts } from './reply-field.ts'
import type { ReplyEditor } from './reply.ts'
import { readSignature } from './template.server.ts'

const SCHEDULED_SHOWN = 50
const delivery = env.SMTP_URL ? 'smtp' : isInboxOpen ? 'inbox' : 'none'

/** The values of the fields of a reply. */
export async function readFacts(contactId: string, senderId: string): Promise<ReplyFacts> {
  const lead = await db
    .selectFrom('contacts')
    .select(['name', 'company', 'reference', 'serviceType', 'problem'])
    .where('id', '=', contactId)
    .executeTakeFirst()
  if (!lead) return stop('notFound', 'Lead not found.')
  const sender = await currentAccounts().select('userMetadata').where('id', '=', senderId).executeTakeFirst()
  return {
    firstName: lead.name.split(' ')[0] || null,
    name: lead.name || null,
    company: lead.company || null,
    reference: lead.reference,
    service: lead.serviceType || null,
    problem: lead.problem || null,
    senderName: (sender && nameOf(sender.userMetadata)) ?? null,
    callLink: new URL(await findCallUrl(contactId), env.SITE_URL).href,
  }
}

/** Everything that the editor of a reply shows. */
export async function readReplyEditor(contactId: string, senderId: string): Promise<ReplyEditor> {
  const facts = await readFacts(contactId, senderId)
  const person = await db
    .selectFrom('contacts')
    .innerJoin('people', 'people.id', 'contacts.personId')
    .select(['contacts.email', 'people.bouncedAt', 'people.bounceReason'])
    .where('contacts.id', '=', contactId)
    .executeTakeFirstOrThrow()
  const scheduled = await db
    .selectFrom('leadMessages')
    .select('id')
    .where('contactId', '=', contactId)
    .where('state', '=', 'scheduled')
    .orderBy('sendAt')
    .limit(SCHEDULED_SHOWN)
    .execute()
  const messages = await readMessages(scheduled.map(({ id }) => id))
  return {
    to: person.email,
    fromName: facts.senderName ?? '',
    fromAddress: senderAddress(),
    subject: await defaultSubject(contactId, facts.reference ?? ''),
    signature: await readSignature(senderId),
    facts,
    files: await listDraftFiles(contactId, senderId),
    scheduled: scheduled.flatMap(({ id }) => messages.get(id) ?? []),
    delivery,
    hasReplyAddress: env.MAIL_REPLY_ADDRESS !== undefined,
    bouncedAt: person.bouncedAt?.toISOString() ?? null,
    bounceReason: person.bounceReason,
  }
}

/** Mail programs keep a thread together by its subject as well. */
async function defaultSubject(contactId: string, reference: string): Promise<string> {
  const newest = await db
    .selectFrom('leadMessages')
    .select('subject')
    .where('contactId', '=', contactId)
    .where('kind', '=', 'message')
    .where('state', 'in', ['received', 'sending', 'sent'])
    .orderBy('createdAt', 'desc')
    .orderBy('id', 'desc')
    .executeTakeFirst()
  const bare = (newest?.subject ?? '').replace(/^\s*((re|aw|sv|antw|fwd?)\s*(\[\d+\])?:\s*)+/i, '').trim()
  return bare ? `Re: ${bare}`.slice(0, 200) : `Your enquiry ${reference}`
}

async function listDraftFiles(contactId: string, userId: string) {
  const rows = await db
    .selectFrom('leadFiles')
    .selectAll()
    .where('contactId', '=', contactId)
    .where('source', '=', 'reply')
    .where('messageId', 'is', null)
    .where('createdBy', '=', userId)
    .orderBy('createdAt')
    .orderBy('id')
    .execute()
  return rows.map(toLeadFile)
}
