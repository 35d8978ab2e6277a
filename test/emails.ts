import { sql } from 'kysely'
import { expect } from 'vitest'
import { z } from 'zod'
import { contentOf, EMAIL_JOB, enqueuedEmail } from '#app/mail/outbox.server.ts'
import { db } from '#app/platform/database/db.server.ts'
import { eventually } from './eventually.ts'

const secrets = z.object({ link: z.string(), code: z.string() })

/** The queued emails for an address, oldest first: their kinds, and the content of sealed ones. */
export async function emailsTo(address: string) {
  const isTheirs = sql<boolean>`payload->>'to' = ${address}`
  const jobs = await db.selectFrom('jobs').select('payload').where('kind', '=', EMAIL_JOB).where(isTheirs).orderBy('id').execute()
  return jobs
    .map(({ payload }) => enqueuedEmail.parse(payload))
    .map((email) => ({ kind: email.kind, data: JSON.parse(contentOf(email) ?? 'null') }))
}

/** The link token and the code of the latest email of a kind. */
export async function secretsOf(address: string, kind: string) {
  const email = (await emailsTo(address)).findLast((candidate) => candidate.kind === kind)
  return secrets.parse(email?.data)
}

/** The same for an email that the worker has yet to write: the `count`th of its kind. */
export async function secretsSoon(address: string, kind: string, count = 1) {
  const enough = async () => {
    const kinds = (await emailsTo(address)).map((email) => email.kind)
    expect(kinds.filter((found) => found === kind)).toHaveLength(count)
  }
  await eventually(enough)
  return secretsOf(address, kind)
}
