import { sql } from 'kysely'
import { z } from 'zod'
import { contactOfReplyAddress } from '#app/leads/lead/reply-address.server.ts'
import { EMAIL_JOB } from '#app/mail/outbox.server.ts'
import type { Trx } from '#app/platform/database/db.server.ts'
import { queryRows } from '#app/platform/database/sql.server.ts'
import type { ReadEmail } from './read-email.server.ts'

/** How an email found its lead. `sender`: by its address only, which anyone can write. */
export type LeadMatch = { contactId: string; matchedBy: 'thread' | 'token' | 'sender' }

type Sender = Pick<ReadEmail, 'fromName' | 'fromAddress' | 'replyToName' | 'replyToAddress'>

/** The person behind an email: whom it asks to answer, else its sender. */
export function correspondentOf({ fromName, fromAddress, replyToName, replyToAddress }: Sender): { name: string; address: string } {
  return replyToAddress ? { name: replyToName, address: replyToAddress } : { name: fromName, address: fromAddress }
}

type Clues = Pick<ReadEmail, 'threadIds' | 'toAddresses' | keyof Sender | 'subject'> & {
  /** The emails that a report of a mail server is about. */
  originalIds: string[]
}

/** The lead of an email: by the emails that it answers, then by a signed reply address, then by its sender. */
export async function findLeadOf(trx: Trx, clues: Clues): Promise<LeadMatch | undefined> {
  const { threadIds, originalIds, toAddresses, subject } = clues
  const byThread = await findByIds(trx, [...originalIds, ...threadIds])
  if (byThread) return { contactId: byThread, matchedBy: 'thread' }
  const byToken = await findFirst(
    trx,
    toAddresses.flatMap((address) => contactOfReplyAddress(address) ?? []),
  )
  if (byToken) return { contactId: byToken, matchedBy: 'token' }
  const { address } = correspondentOf(clues)
  const bySender = address && (await findBySender(trx, address, subject))
  return bySender ? { contactId: bySender, matchedBy: 'sender' } : undefined
}

const found = { id: z.string() }

/** The lead of the closest email of the thread. Our automatic emails are known by the reference in their subjects. */
async function findByIds(trx: Trx, ids: string[]): Promise<string | undefined> {
  if (ids.length === 0) return undefined
  const rows = await queryRows(
    trx,
    { ...found, place: z.number() },
    sql`SELECT contacts.id, array_position(${ids}::text[], message.message_id) AS place FROM lead_messages AS message
      JOIN contacts ON contacts.id = message.contact_id
      WHERE message.message_id = ANY(${ids}::text[]) AND contacts.deleted_at IS NULL ORDER BY place LIMIT 1`,
  )
  return rows[0]?.id ?? findByAutomaticEmail(trx, ids)
}

async function findByAutomaticEmail(trx: Trx, ids: string[]): Promise<string | undefined> {
  const rows = await queryRows(
    trx,
    { ...found, place: z.number() },
    sql`SELECT contacts.id, array_position(${ids}::text[], payload->>'messageId') AS place FROM jobs
      JOIN contacts ON contacts.reference = substring(payload->>'subject' FROM 'W-[0-9A-Z]{6}')
      WHERE kind = ${EMAIL_JOB} AND payload->>'messageId' = ANY(${ids}::text[]) AND contacts.deleted_at IS NULL ORDER BY place LIMIT 1`,
  )
  return rows[0]?.id
}

async function findFirst(trx: Trx, ids: string[]): Promise<string | undefined> {
  if (ids.length === 0) return undefined
  const rows = await trx.selectFrom('contacts').select('id').where('id', 'in', ids).where('deletedAt', 'is', null).execute()
  return ids.find((id) => rows.some((row) => row.id === id))
}

/** Of the person with this address: the lead whose reference is in the subject, else the newest open one. */
async function findBySender(trx: Trx, address: string, subject: string): Promise<string | undefined> {
  const references = subject.match(/\bW-[\dA-Z]{6}\b/g) ?? []
  const rows = await queryRows(
    trx,
    found,
    sql`SELECT contacts.id FROM people JOIN contacts ON contacts.person_id = coalesce(people.merged_into, people.id)
      JOIN leads ON leads.contact_id = contacts.id JOIN lead_stages AS stage ON stage.id = leads.stage_id
      WHERE people.email = ${address} AND leads.is_listed AND (stage.outcome = 'open' OR contacts.reference = ANY(${references}::text[]))
      ORDER BY contacts.reference = ANY(${references}::text[]) DESC, contacts.created_at DESC, contacts.id DESC LIMIT 1`,
  )
  return rows[0]?.id
}
