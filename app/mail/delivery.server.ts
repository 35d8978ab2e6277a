import { env } from '#app/platform/env.server.ts'
import { defineJob, JobFailure } from '#app/platform/jobs.server.ts'
import { log } from '#app/platform/process/log.server.ts'
import { announceDelivery, announceRefusal, writeEmail } from './email.server.ts'
import { contentOf, EMAIL_JOB, type EnqueuedEmail, enqueuedEmail } from './outbox.server.ts'
import { type AddressedEmail, renderEnqueued } from './render.server.tsx'
import { deliver, RefusedAddress } from './transport.server.ts'

// Without a mail server, emails stay due until a start with one.
defineJob(EMAIL_JOB, enqueuedEmail, send, { keepDays: 90, waits: !env.SMTP_URL, queue: 'mail' })

/** Returns what is stored of an email after it was sent, or has expired. */
async function send(email: EnqueuedEmail): Promise<EnqueuedEmail> {
  const { kind, to, messageId, contactId, expiresAt } = email
  const content = open(email)
  const rest = { kind, to, messageId, ...(contactId && { contactId }) }
  if (expiresAt && Date.parse(expiresAt) <= Date.now()) return { ...rest, subject: writeEmail(kind, content).subject, isExpired: true }
  const rendered = await renderEnqueued(email, content)
  await deliverOrTell(rendered)
  // A failure here must not send it a second time.
  await announceDelivery(kind, content).catch((error: unknown) => log.warn({ err: error, kind }, 'a delivery was not announced'))
  return { ...rest, subject: rendered.subject }
}

async function deliverOrTell(email: AddressedEmail): Promise<void> {
  try {
    await deliver(email)
  } catch (error) {
    if (error instanceof RefusedAddress) await announceRefusal({ to: email.to, reason: error.message })
    throw error
  }
}

function open(email: EnqueuedEmail): string {
  try {
    return contentOf(email) ?? 'null'
  } catch (error) {
    throw new JobFailure('Its sealed content cannot be opened with the key of this installation.', { permanent: true, cause: error })
  }
}
