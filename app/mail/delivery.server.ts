import { env } from '#app/platform/env.server.ts'
import { defineJob, JobFailure } from '#app/platform/jobs.server.ts'
import { contentOf, LETTER_JOB, type PostedLetter, postedLetter } from './outbox.server.ts'
import { renderLetter } from './render.server.tsx'
import { deliver } from './transport.server.ts'

// Without a mail server letters wait, due, until a start that knows one.
defineJob(
  LETTER_JOB,
  postedLetter,
  async (letter) => {
    const { kind, to, messageId } = letter
    const rendered = renderLetter(kind, open(letter))
    await deliver({ ...rendered, to, messageId })
    return { kind, to, messageId, subject: rendered.subject }
  },
  { keepDays: 90, waits: !env.SMTP_URL, lane: 'mail' },
)

function open(letter: PostedLetter): string {
  try {
    return contentOf(letter) ?? 'null'
  } catch (error) {
    throw new JobFailure('Its sealed content cannot be opened with the key of this installation.', { permanent: true, cause: error })
  }
}
