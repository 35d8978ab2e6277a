import { env } from '#app/platform/env.server.ts'
import { defineJob, JobFailure } from '#app/platform/jobs.server.ts'
import { log } from '#app/platform/log.server.ts'
import { announceDelivery } from './email.server.ts'
import { contentOf, EMAIL_JOB, type EnqueuedEmail, enqueuedEmail } from './outbox.server.ts'
import { renderEmail } from './render.server.tsx'
import { deliver } from './transport.server.ts'

// Without a mail server, emails stay due until a start with one.
defineJob(
  EMAIL_JOB,
  enqueuedEmail,
  async (email) => {
    const { kind, to, messageId } = email
    const content = open(email)
    const rendered = await renderEmail(kind, content)
    await deliver({ ...rendered, to, messageId })
    // A failure here must not send it a second time.
    await announceDelivery(kind, content).catch((error: unknown) => log.warn({ err: error, kind }, 'a delivery was not announced'))
    return { kind, to, messageId, subject: rendered.subject }
  },
  { keepDays: 90, waits: !env.SMTP_URL, queue: 'mail' },
)

function open(email: EnqueuedEmail): string {
  try {
    return contentOf(email) ?? 'null'
  } catch (error) {
    throw new JobFailure('Its sealed content cannot be opened with the key of this installation.', { permanent: true, cause: error })
  }
}
