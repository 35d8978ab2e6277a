import { randomUUID } from 'node:crypto'
import { z } from 'zod'
import type { Trx } from '#app/platform/db.server.ts'
import { env } from '#app/platform/env.server.ts'
import { enqueue } from '#app/platform/jobs.server.ts'
import { seal, unseal } from '#app/platform/keys.server.ts'
import type { Letter } from './letter.server.ts'

/** The kind of job that sends one letter. */
export const LETTER_JOB = 'letter'

/** One address and nothing else: no second one, no name, no line break that would begin a header. */
const mailbox = z
  .string()
  .max(320)
  .regex(/^[^\s\p{Cc}<>()[\]\\,;:"@]+@[^\s\p{Cc}<>()[\]\\,;:"@]+$/u, 'not one address')

/**
 * A letter as its job keeps it: `data`, or `sealed` (base64) when that is secret. Once it is out both are gone, and `subject` is kept for
 * those who look back.
 */
export const postedLetter = z.object({
  kind: z.string(),
  to: mailbox,
  messageId: z.string(),
  data: z.unknown().optional(),
  sealed: z.string().optional(),
  subject: z.string().optional(),
})

export type PostedLetter = z.infer<typeof postedLetter>

/** Posts letters in the transaction of what they tell about: they leave if, and only if, it is kept. One statement, however many. */
export async function post(trx: Trx, ...letters: Letter[]): Promise<void> {
  await enqueue(trx, ...letters.map((letter) => ({ kind: LETTER_JOB, payload: packed(letter) })))
}

/** Its Message-ID is fixed now, so that a letter sent twice by accident is recognised as one. */
function packed({ kind, to, data, secret }: Letter): PostedLetter {
  const messageId = `<${randomUUID()}@${new URL(env.SITE_URL).hostname}>`
  const envelope = { kind, to: mailbox.parse(to), messageId }
  if (!secret) return { ...envelope, data }
  return { ...envelope, sealed: seal('letter', envelopeOf({ to, messageId }), JSON.stringify(data)).toString('base64') }
}

/** The data that a letter is written from, as JSON; nothing once it is out. Throws when it was sealed with another key or for another reader. */
export function contentOf({ to, messageId, data, sealed }: PostedLetter): string | undefined {
  if (sealed !== undefined) return unseal('letter', envelopeOf({ to, messageId }), Buffer.from(sealed, 'base64')).toString()
  return data === undefined ? undefined : JSON.stringify(data)
}

/** A secret opens only for the reader it was meant for. */
function envelopeOf({ to, messageId }: Pick<PostedLetter, 'to' | 'messageId'>): string {
  return `${messageId} ${to}`
}
