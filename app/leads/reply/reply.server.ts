import { randomUUID } from 'node:crypto'
import { z } from 'zod'
import { nameOf } from '#app/auth/users/user-name.ts'
import { currentAccounts } from '#app/auth/users/account.server.ts'
import { type Actor, audit, by } from '#app/auth/users/audit.server.ts'
import { noteLeadEvent } from '#app/leads/lead/lead-event.server.ts'
import { emitReplied } from '#app/leads/lead/lead-webhook.server.ts'
import { announceLeads } from '#app/leads/lead/lead-signal.server.ts'
import { renderNote } from '#app/leads/lead/note-markdown.server.ts'
import { emailJob, newMessageId, senderAddress } from '#app/mail/outbox.server.ts'
import { db, transaction, type Trx } from '#app/platform/database/db.server.ts'
import { condition } from '#app/platform/database/sql.server.ts'
import { defineJob, enqueue } from '#app/platform/jobs.server.ts'
import { stop } from '#app/platform/errors/stop.ts'
import type { Row } from '#db/tables.ts'
import type { LeadMessage } from './message.ts'
import { readMessages } from './message.server.ts'
import { aboutLead, threadRootOf } from '#app/leads/lead/reply-address.server.ts'
import { readFacts } from './reply-facts.server.ts'
import { fillFields, fillMarkdown, missingFields } from './reply-field.ts'
import { countAsAnswer, replyJobKey } from './reply-outcome.server.ts'
import { leadReplyEmail } from './reply.email.tsx'
import { FILES_TOO_LARGE, LATER_REFUSED, MOST_FILE_BYTES, type ReplyBody, UNDO_SECONDS } from './reply.ts'
import { readSignature } from './template.server.ts'
import { NO_ADDRESS } from '#app/leads/lead/lead-format.ts'

type Author = Actor & { id: string }

const SEND_JOB = 'leads.send-reply'
const YEAR_MS = 366 * 24 * 3_600_000
/** References of an email: the root of the thread, and its newest emails. */
const MOST_REFERENCES = 20

const refuse = (field: string, sentence: string) =>
  stop('unprocessable', sentence, { code: 'validation_failed', errors: { [field]: sentence } })

/**
 * Stores a reply that is due in 10 seconds, or at a given time. Until then it can be cancelled. A repeat with the same id returns the
 * first. It refuses a text with a field that has no value.
 */
export async function scheduleReply(contactId: string, given: ReplyBody, author: Author): Promise<LeadMessage> {
  const { id, fileIds } = given
  const content = await writeReply(contactId, given, author.id)
  const sendAt = dueAt(given.sendAt)
  const account = await currentAccounts().select('userMetadata').where('id', '=', author.id).executeTakeFirst()
  await transaction(async (trx) => {
    const { email } = await lockLead(trx, contactId)
    const row = {
      id,
      contactId,
      direction: 'out' as const,
      state: 'scheduled' as const,
      messageId: newMessageId(randomUUID()),
      fromName: (account && nameOf(account.userMetadata)) ?? '',
      fromAddress: senderAddress(),
      toAddresses: [email],
      authorId: author.id,
      ...content,
      sendAt: sendAt ?? new Date(Date.now() + UNDO_SECONDS * 1000),
    }
    const added = await trx
      .insertInto('leadMessages')
      .values(row)
      .onConflict((conflict) => conflict.column('id').doNothing())
      .returning('sendAt')
      .executeTakeFirst()
    if (!added) return refuseOtherReply(trx, { ...row, sendAt, fileIds })
    await attachFiles(trx, { messageId: id, contactId, fileIds, authorId: author.id })
    await enqueueDue(trx, id, added.sendAt)
  })
  announceLeads()
  return findReply(id)
}

/** The filled-in Markdown and its HTML with the signature. */
async function writeReply(contactId: string, { subject, text }: ReplyBody, authorId: string) {
  const facts = await readFacts(contactId, authorId)
  const missing = missingFields(`${subject}\n${text}`, facts)
  if (missing.length > 0) refuse('text', `Fill in or delete what is missing: ${missing.join(', ')}.`)
  const filled = fillMarkdown(text, facts)
  return { subject: fillFields(subject, facts).slice(0, 300), text: filled, html: await renderReply(filled, await readSignature(authorId)) }
}

/** The HTML of a reply with its signature. */
export async function renderReply(text: string, signature: string): Promise<string> {
  const html = await renderNote(text)
  return signature ? `${html}\n<p>--</p>\n${await renderNote(signature)}` : html
}

function dueAt(given: string | null | undefined): Date | undefined {
  if (!given) return undefined
  const at = Date.parse(given)
  if (at < Date.now() || at > Date.now() + YEAR_MS) refuse('sendAt', LATER_REFUSED)
  return new Date(at)
}

async function lockLead(trx: Trx, contactId: string): Promise<{ email: string }> {
  const lead = await trx
    .selectFrom('contacts')
    .select(['email', 'quarantinedAt'])
    .where('id', '=', contactId)
    .where('deletedAt', 'is', null)
    .forUpdate()
    .executeTakeFirst()
  if (!lead) return stop('notFound', 'Lead not found.')
  if (lead.quarantinedAt) stop('conflict', 'This enquiry is in quarantine. Release it before you reply.', { code: 'in_quarantine' })
  if (!lead.email) stop('conflict', NO_ADDRESS, { code: 'no_address' })
  return lead
}

type Repeated = Pick<Reply, 'id' | 'contactId' | 'authorId' | 'subject' | 'text'> & { sendAt: Date | undefined; fileIds: string[] }

/** A repeat whose first attempt had no answer. Something that was changed since must not pass for sent. */
async function refuseOtherReply(trx: Trx, { id, sendAt, fileIds, ...given }: Repeated): Promise<void> {
  const first = await trx.selectFrom('leadMessages').selectAll().where('id', '=', id).executeTakeFirst()
  if (first?.contactId !== given.contactId || first.authorId !== given.authorId) return stop('conflict', 'Another email has this id.')
  const files = await trx.selectFrom('leadFiles').select('id').where('messageId', '=', id).execute()
  const isSame =
    first.subject === given.subject &&
    first.text === given.text &&
    isSameTime(first, sendAt) &&
    // The editor no longer shows files that are part of an email, so a repeat may lack them.
    fileIds.every((fileId) => files.some((file) => file.id === fileId.toLowerCase()))
  if (!isSame)
    stop('conflict', 'This email was accepted before your last change, without it. Look for it in the scheduled emails and the timeline.', {
      code: 'reply_changed',
    })
}

function isSameTime(first: Row<'leadMessages'>, sendAt: Date | undefined): boolean {
  if (first.state !== 'scheduled') return sendAt === undefined
  const due = first.sendAt?.getTime() ?? 0
  return sendAt ? due === sendAt.getTime() : due <= Date.now() + UNDO_SECONDS * 1000
}

type Attaching = { messageId: string; contactId: string; fileIds: string[]; authorId: string }

async function attachFiles(trx: Trx, { messageId, contactId, fileIds, authorId }: Attaching): Promise<void> {
  if (fileIds.length === 0) return
  const files = await trx
    .updateTable('leadFiles')
    .set({ messageId })
    .where(condition`id = ANY(${fileIds}::uuid[])`)
    .where('contactId', '=', contactId)
    .where('source', '=', 'reply')
    .where('messageId', 'is', null)
    .where('createdBy', '=', authorId)
    .returning('size')
    .execute()
  if (files.length < new Set(fileIds).size) refuse('fileIds', 'An attachment was removed meanwhile. Attach it again.')
  if (files.reduce((sum, { size }) => sum + size, 0) > MOST_FILE_BYTES) refuse('fileIds', FILES_TOO_LARGE)
}

async function enqueueDue(trx: Trx, id: string, sendAt: Date | null): Promise<void> {
  await enqueue(trx, { kind: SEND_JOB, payload: { id }, ...(sendAt && { runAt: sendAt }) })
}

async function findReply(id: string): Promise<LeadMessage> {
  return (await readMessages([id])).get(id) ?? stop('notFound', 'There is no such email.')
}

/**
 * Cancels a reply that is still due, without a trace, and returns its text. Its files go with the text: they are attachments of the draft of
 * the person who cancels. Stops with a conflict once it was handed over to the outbox.
 */
export async function cancelReply(id: string, staff: { id: string }): Promise<{ subject: string; text: string }> {
  const cancelled = await transaction(async (trx) => {
    const reply = await trx
      .selectFrom('leadMessages')
      .select(['subject', 'text'])
      .where('id', '=', id)
      .where('state', '=', 'scheduled')
      .forUpdate()
      .executeTakeFirst()
    if (!reply) return undefined
    await trx
      .updateTable('leadFiles')
      .set({ messageId: null, createdBy: staff.id, createdAt: new Date() })
      .where('messageId', '=', id)
      .execute()
    await trx.deleteFrom('leadMessages').where('id', '=', id).execute()
    return reply
  })
  if (!cancelled) await refuseSent(id)
  announceLeads()
  return cancelled ?? stop('notFound', 'There is no such email.')
}

async function refuseSent(id: string): Promise<void> {
  const row = await db.selectFrom('leadMessages').select('state').where('id', '=', id).where('direction', '=', 'out').executeTakeFirst()
  if (row) stop('conflict', 'It is too late: this email was sent.', { code: 'already_sent' })
}

/** Sends a reply that is due later, or one that failed, now. A press at the same moment elsewhere sends nothing twice. */
export async function sendReplyNow(id: string): Promise<LeadMessage> {
  const isSent = await transaction((trx) => handOver(trx, id, ['scheduled', 'failed']))
  if (!isSent) await refuseSent(id)
  announceLeads()
  return findReply(id)
}

// This job, a second process with the same job, or "Send now": the first that finds the reply still scheduled sends it.
defineJob(SEND_JOB, z.object({ id: z.uuid() }), async ({ id }) => {
  if (await transaction((trx) => handOver(trx, id, ['scheduled']))) announceLeads()
})

type Reply = Row<'leadMessages'> & { contactId: string; authorId: string }

/**
 * Hands a reply over to the outbox, with all that follows from it: the event, the end of the clocks, the stage. Returns `false` when it is
 * not in one of these states. The lock of the lead comes first, as in its erasure.
 */
async function handOver(trx: Trx, id: string, states: ('scheduled' | 'failed')[]): Promise<boolean> {
  const found = await trx.selectFrom('leadMessages').select('contactId').where('id', '=', id).executeTakeFirst()
  if (!found?.contactId) return false
  const lead = await trx
    .selectFrom('contacts')
    .select(['email', 'deletedAt', 'quarantinedAt'])
    .where('id', '=', found.contactId)
    .forUpdate()
    .executeTakeFirst()
  const isOpen = lead !== undefined && !lead.deletedAt && !lead.quarantinedAt
  const reply = await trx
    .updateTable('leadMessages')
    .set({
      state: isOpen ? 'sending' : 'failed',
      error: isOpen ? null : 'The lead was deleted or put into quarantine before this email was due.',
      sendAt: new Date(),
      ...(lead && { toAddresses: [lead.email] }),
    })
    .where('id', '=', id)
    .where('state', 'in', states)
    .returningAll()
    .executeTakeFirst()
  if (!reply?.contactId || !reply.authorId) return false
  const sent = { ...reply, contactId: reply.contactId, authorId: reply.authorId }
  await noteSending(trx, sent)
  // The first hand-over sets `inReplyTo`: a reply that is sent again after a failure was told of.
  if (isOpen && reply.inReplyTo === null) await emitReplied(trx, sent.contactId)
  if (isOpen) await enqueueReply(trx, sent, lead.email)
  return true
}

/** A repeat after a failure has its event already. */
async function noteSending(trx: Trx, { id, contactId, authorId, state }: Reply): Promise<void> {
  const event = await trx.selectFrom('leadEvents').select('id').where('messageId', '=', id).executeTakeFirst()
  if (!event) await noteLeadEvent(trx, { contactId, kind: 'email_sent', actorId: authorId, messageId: id })
  if (state !== 'sending') return
  await audit(trx, 'lead_replied', { ...by({ id: authorId }), subjectId: contactId })
  await countAsAnswer(trx, { id, contactId, authorId })
}

async function enqueueReply(trx: Trx, reply: Reply, to: string): Promise<void> {
  const { id, contactId, messageId, subject, html, fromName } = reply
  const references = await listReferences(trx, reply)
  const inReplyTo = references.at(-1) ?? threadRootOf(contactId)
  const files = await trx
    .selectFrom('leadFiles')
    .select(['name', 'type', 'storedAs'])
    .where('messageId', '=', id)
    .orderBy('createdAt')
    .execute()
  await trx.updateTable('leadMessages').set({ inReplyTo, threadIds: references }).where('id', '=', id).execute()
  const email = leadReplyEmail(to, {
    id,
    subject,
    html: html ?? '',
    fromName,
    inReplyTo,
    references,
    files,
  })
  // A failed job of this reply makes room for the new one. One that is retried elsewhere stays, and is the only one.
  await trx.deleteFrom('jobs').where('dedupeKey', '=', replyJobKey(id)).where('failedAt', 'is not', null).execute()
  await enqueue(trx, { ...emailJob(aboutLead({ ...email, messageId }, contactId)), dedupeKey: replyJobKey(id) })
}

/** The Message-IDs of the thread, oldest first: the acknowledgement, and the emails that people wrote since. */
async function listReferences(trx: Trx, { id, contactId }: Reply): Promise<string[]> {
  const emails = await trx
    .selectFrom('leadMessages')
    .select('messageId')
    .where('contactId', '=', contactId)
    .where('kind', '=', 'message')
    .where('state', 'in', ['received', 'sending', 'sent'])
    .where('id', '<>', id)
    .orderBy((row) => row.fn.coalesce('sendAt', 'createdAt'), 'desc')
    .orderBy('id', 'desc')
    .limit(MOST_REFERENCES - 1)
    .execute()
  return [threadRootOf(contactId), ...emails.map(({ messageId }) => messageId).toReversed()]
}
