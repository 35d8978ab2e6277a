import { randomUUID } from 'node:crypto'
import { z } from 'zod'
import { identity } from '#app/content/identity.ts'
import { oneLine } from '#app/platform/text/clean-text.ts'
import type { Trx } from '#app/platform/database/db.server.ts'
import { env } from '#app/platform/env.server.ts'
import { enqueue, type NewJob } from '#app/platform/jobs.server.ts'
import { seal, unseal } from '#app/platform/guard/keys.server.ts'
import type { Email } from './email.server.ts'

/** The kind of job that sends one email. */
export const EMAIL_JOB = 'letter'

/** Exactly one address: no second address, no name, no line break that could start a header. */
const mailbox = z
  .string()
  .max(320)
  .regex(/^[^\s\p{Cc}<>()[\]\\,;:"@]+@[^\s\p{Cc}<>()[\]\\,;:"@]+$/u, 'not one address')

/**
 * An email as its job stores it: `data`, or `sealed` (base64) for secrets. Both are deleted after sending; `subject` stays for the
 * delivery log.
 */
export const enqueuedEmail = z.object({
  kind: z.string(),
  to: mailbox,
  messageId: z.string(),
  data: z.unknown().optional(),
  sealed: z.string().optional(),
  subject: z.string().optional(),
  replyTo: mailbox.optional(),
  contactId: z.string().optional(),
  expiresAt: z.iso.datetime().optional(),
  /** It was not sent, because its links and codes had expired. */
  isExpired: z.boolean().optional(),
})

export type EnqueuedEmail = z.infer<typeof enqueuedEmail>

/** Enqueues emails in the caller's transaction, so they are sent if and only if it commits. Uses one statement for any number. */
export async function enqueueEmail(trx: Trx, ...emails: Email[]): Promise<void> {
  await enqueue(trx, ...emails.map(emailJob))
}

/** The job of an email, to be enqueued with others in one statement. */
export function emailJob(email: Email): NewJob {
  return { kind: EMAIL_JOB, payload: packed(email) }
}

/** A Message-ID of ours. The local part is new, unless it is given. */
export function newMessageId(local: string = randomUUID()): string {
  return `<${local}@${new URL(env.SITE_URL).hostname}>`
}

/** Fixes the Message-ID now, so mail programs recognize an email that was sent twice. */
function packed({ kind, to, data, secret, messageId = newMessageId(), replyTo, contactId, expiresAt }: Email): EnqueuedEmail {
  const envelope = {
    kind,
    to: mailbox.parse(to),
    messageId,
    ...(replyTo && { replyTo }),
    ...(contactId && { contactId }),
    ...(expiresAt && { expiresAt: expiresAt.toISOString() }),
  }
  if (!secret) return { ...envelope, data }
  return { ...envelope, sealed: seal('letter', envelopeOf({ to, messageId }), JSON.stringify(data)).toString('base64') }
}

/** The email's data as JSON; undefined after sending. Throws if it was sealed with another key or for another recipient. */
export function contentOf({ to, messageId, data, sealed }: EnqueuedEmail): string | undefined {
  if (sealed !== undefined) return unseal('letter', envelopeOf({ to, messageId }), Buffer.from(sealed, 'base64')).toString()
  return data === undefined ? undefined : JSON.stringify(data)
}

/** The sender of all emails. Without `MAIL_FROM` it has the name of the business, as the settings have it now. */
export function sender(): { name: string; address: string } {
  if (env.MAIL_FROM === undefined) return { name: oneLine(identity.name), address: 'hello@localhost' }
  const [, name, address] = /^\s*"?(.*?)"?\s*<([^<>]+)>$/.exec(env.MAIL_FROM) ?? []
  return { name: name ?? '', address: address ?? env.MAIL_FROM }
}

/** The mailbox that all emails come from. */
export function senderAddress(): string {
  return sender().address
}

/** The sender in one line. */
export function senderLine(): string {
  const { name, address } = sender()
  return name ? `${name} <${address}>` : address
}

/** Binds a secret to its recipient. */
function envelopeOf({ to, messageId }: Pick<EnqueuedEmail, 'to' | 'messageId'>): string {
  return `${messageId} ${to}`
}
