import { createHash } from 'node:crypto'
import { sql } from 'kysely'
import { noteLeadEvent } from '#app/leads/lead/lead-event.server.ts'
import { staffAmong } from '#app/leads/lead/lead-notice.server.ts'
import { announceLeads } from '#app/leads/lead/lead-signal.server.ts'
import { contactOfReplyAddress } from '#app/leads/lead/reply-address.server.ts'
import { EMAIL_JOB, senderAddress } from '#app/mail/outbox.server.ts'
import { db, newId, transaction, type Trx } from '#app/platform/database/db.server.ts'
import { condition, now } from '#app/platform/database/sql.server.ts'
import { env } from '#app/platform/env.server.ts'
import { log } from '#app/platform/process/log.server.ts'
import { notificationJob } from '#app/account/notifications/notification.server.ts'
import { enqueue } from '#app/platform/jobs.server.ts'
import type { Row } from '#db/tables.ts'
import { insertEmailFiles, type StoredEmailFile, storeEmailFiles } from './email-file.server.ts'
import type { FailedDelivery } from './email-kind.server.ts'
import { namePictures } from './inline-picture.server.ts'
import { correspondentOf, findLeadOf } from './match-lead.server.ts'
import type { ReadEmail } from './read-email.server.ts'
import { UnreadableEmail } from './unreadable-email.ts'
import { readInThread } from './read-email-thread.server.ts'

/** Bytes. Of a larger email only the headers are stored. */
export const LARGEST_EMAIL = 25 * 1024 * 1024
/** Bytes of the headers that are read of a larger one. */
export const HEADER_BYTES = 64 * 1024

/** How far a folder has been read. */
export type MailboxPosition = { name: string; uidValidity: number; lastUid: number }

/** An email of a folder. `size` is that on the server; above `LARGEST_EMAIL`, `bytes` is its beginning. */
type FetchedEmail = { uid: number; receivedAt: Date; size: number; bytes: Uint8Array }

/** Another process reads this mailbox, or has read on. */
export class MailboxTaken extends Error {}

/**
 * Stores an email with its files and moves the position to it, in one transaction: at any moment it is stored and read, or neither. The
 * same bytes are stored once. Throws `MailboxTaken` unless the position is still that of the database.
 */
export async function receiveEmail(position: MailboxPosition, fetched: FetchedEmail): Promise<MailboxPosition> {
  const digest = createHash('sha256')
    .update(fetched.bytes)
    .update(fetched.size > LARGEST_EMAIL ? String(fetched.size) : '')
    .digest()
  const known = await db.selectFrom('leadMessages').select('id').where('digest', '=', digest).executeTakeFirst()
  if (known) return skip(position, fetched.uid)
  const email = await read(fetched)
  if (await isOurOwn(email)) return skip(position, fetched.uid)
  const files = await storeEmailFiles(email.files)
  const isNew = await transaction(async (trx) => {
    await advance(trx, position, fetched.uid)
    return store(trx, {
      email: { ...email, html: namePictures(email.html, email.files, files) },
      files,
      digest,
      receivedAt: fetched.receivedAt,
    })
  })
  if (isNew) announceLeads()
  return { ...position, lastUid: fetched.uid }
}

async function skip(position: MailboxPosition, uid: number): Promise<MailboxPosition> {
  await transaction((trx) => advance(trx, position, uid))
  return { ...position, lastUid: uid }
}

async function advance(trx: Trx, { name, uidValidity, lastUid }: MailboxPosition, uid: number): Promise<void> {
  const moved = await trx
    .updateTable('mailboxes')
    .set({ lastUid: uid, checkedAt: now, error: null })
    .where('name', '=', name)
    .where('uidValidity', '=', uidValidity)
    .where('lastUid', '=', lastUid)
    .returning('name')
    .executeTakeFirst()
  if (!moved) throw new MailboxTaken('Another process has read on in this mailbox.')
}

async function read({ bytes, size }: FetchedEmail): Promise<ReadEmail> {
  if (size > LARGEST_EMAIL) return readHead(bytes, `It is larger than ${LARGEST_EMAIL / 1024 / 1024} MB. Only its headers are stored.`)
  try {
    return await readInThread(bytes)
  } catch (error) {
    // Any other error is not the email's: it is read again later.
    if (!(error instanceof UnreadableEmail)) throw error
    log.warn({ reason: error.message }, 'an email could not be read')
    return readHead(bytes, `It cannot be read. ${error.message}`)
  }
}

const nothing: ReadEmail = {
  messageId: null,
  inReplyTo: null,
  threadIds: [],
  fromName: '',
  fromAddress: '',
  replyToName: '',
  replyToAddress: '',
  toAddresses: [],
  subject: '',
  text: '',
  html: null,
  hasRemoteContent: false,
  kind: 'message',
  bounce: null,
  files: [],
  problems: [],
}

/** The headers of an email whose content is not stored, with the reason. Headers that cannot be read are left out as well. */
async function readHead(bytes: Uint8Array, problem: string): Promise<ReadEmail> {
  const head = Buffer.from(bytes.subarray(0, HEADER_BYTES))
  const end = /\r?\n\r?\n/.exec(head.toString('latin1'))?.index ?? head.length
  // Without its type the content is not looked for.
  const plain = head
    .subarray(0, end)
    .toString('latin1')
    .replaceAll(/^content-(type|transfer-encoding):.*(\r?\n[ \t].*)*\r?\n?/gim, '')
  const headers = await readInThread(Buffer.from(`${plain}\r\n\r\n`, 'latin1')).catch((error: unknown) => {
    if (error instanceof UnreadableEmail) return nothing
    throw error
  })
  return { ...headers, text: '', html: null, files: [], problems: [problem] }
}

/** Notices to the business can go to this very mailbox. The outbox knows them; anyone can write our address. */
async function isOurOwn({ fromAddress, messageId }: ReadEmail): Promise<boolean> {
  if (!messageId || fromAddress.toLowerCase() !== senderAddress().toLowerCase()) return false
  const sent = await db
    .selectFrom('jobs')
    .select('id')
    .where('kind', '=', EMAIL_JOB)
    .where(condition`payload->>'messageId' = ${messageId}`)
    .limit(1)
    .executeTakeFirst()
  const reply = db.selectFrom('leadMessages').select('id').where('messageId', '=', messageId).where('direction', '=', 'out').limit(1)
  return sent !== undefined || (await reply.executeTakeFirst()) !== undefined
}

type Storing = { email: ReadEmail; files: StoredEmailFile[]; digest: Buffer; receivedAt: Date }

/** Our own addresses are no person's: replies to them come here. */
function withoutOwnReplyTo(email: ReadEmail): ReadEmail {
  const address = email.replyToAddress.toLowerCase()
  const isOurs = [senderAddress(), env.MAIL_REPLY_ADDRESS].some((each) => each?.toLowerCase() === address)
  return isOurs || contactOfReplyAddress(address) ? { ...email, replyToName: '', replyToAddress: '' } : email
}

/** Returns whether it is new. */
async function store(trx: Trx, { email, files, digest, receivedAt }: Storing): Promise<boolean> {
  const { bounce, files: _files, problems, messageId, ...content } = withoutOwnReplyTo(email)
  const match = await findLeadOf(trx, { ...email, ...content, originalIds: bounce?.originalIds ?? [] })
  const stored = await trx
    .insertInto('leadMessages')
    .values({
      ...content,
      id: newId(),
      messageId: messageId ?? `<${digest.toString('hex')}@no-message-id.invalid>`,
      contactId: match?.contactId ?? null,
      matchedBy: match?.matchedBy ?? null,
      direction: 'in',
      state: 'received',
      error: problems.length > 0 ? problems.join(' ') : null,
      digest,
      createdAt: receivedAt.getTime() > Date.now() ? new Date() : receivedAt,
    })
    .onConflict((conflict) => conflict.constraint('lead_messages_digest_key').doNothing())
    .returningAll()
    .executeTakeFirst()
  if (!stored) return false
  await insertEmailFiles(trx, { messageId: stored.id, contactId: stored.contactId, files })
  if (bounce) await markBounced(trx, bounce.failed, bounce.originalIds)
  if (!match) return true
  await noteReceived(trx, { contactId: match.contactId, message: stored, failed: bounce?.failed ?? [] })
  return true
}

type Noted = { contactId: string; message: Parameters<typeof tellOfReply>[2] & { matchedBy: string | null }; failed: FailedDelivery[] }

const eventKinds = { message: 'email_received', autoreply: 'autoreply_received', bounce: 'email_bounced' } as const

/** Adds an email to the timeline of its lead. A person's reply, and an email that came back, are told to staff. */
export async function noteReceived(trx: Trx, { contactId, message, failed }: Noted): Promise<void> {
  const { id, subject, matchedBy } = message
  const { address } = correspondentOf(message)
  // Anyone can write a report. One that names none of our emails is an automatic email like any other.
  const kind = message.kind === 'bounce' && matchedBy !== 'thread' ? 'autoreply' : message.kind
  // An address that writes works again.
  if (kind === 'message')
    await trx
      .updateTable('people')
      .set({ bouncedAt: null, bounceReason: null })
      .where('email', '=', address)
      .where('bouncedAt', 'is not', null)
      .execute()
  const detail = { matchedBy, from: address, title: subject, ...(failed.length > 0 && { failed }) }
  await noteLeadEvent(trx, { contactId, kind: eventKinds[kind], messageId: id, detail })
  if (kind !== 'autoreply') await tellOfReply(trx, contactId, message)
}

/** Marks addresses that do not work, if the report names an email that we sent to them: anyone can send a report about anyone. */
async function markBounced(trx: Trx, failed: FailedDelivery[], originalIds: string[]): Promise<void> {
  for (const { address, reason, isPermanent } of failed) {
    if (!isPermanent || !(await wasSentTo(trx, address, originalIds))) continue
    await trx.updateTable('people').set({ bouncedAt: now, bounceReason: reason }).where('email', '=', address).execute()
  }
}

async function wasSentTo(trx: Trx, address: string, originalIds: string[]): Promise<boolean> {
  const { rows } = await sql`
    SELECT 1 FROM lead_messages WHERE direction = 'out' AND lower(${address}) IN (SELECT lower(each) FROM unnest(to_addresses) AS each)
      AND message_id = ANY(${originalIds}::text[])
    UNION ALL SELECT 1 FROM jobs WHERE kind = ${EMAIL_JOB} AND lower(payload->>'to') = lower(${address})
      AND payload->>'messageId' = ANY(${originalIds}::text[])
    LIMIT 1`.execute(trx)
  return rows.length > 0
}

type Received = Pick<Row<'leadMessages'>, 'id' | 'kind' | 'fromName' | 'fromAddress' | 'replyToName' | 'replyToAddress' | 'subject'>

/** Tells the owner of a lead that an email about it came, or all staff where it has none. In the transaction of the email. */
async function tellOfReply(trx: Trx, contactId: string, message: Received): Promise<void> {
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
      to: await staffAmong(trx, [lead.ownerId]),
    }),
  )
}
