import { z } from 'zod'
import { contentOf, LETTER_JOB, postedLetter } from '#app/mail/outbox.server.ts'
import { db } from '#app/platform/db.server.ts'

const secrets = z.object({ link: z.string(), code: z.string() })

/** The letters that wait for an address, oldest first: their kinds, and what the secret ones say. */
export async function lettersTo(address: string) {
  const jobs = await db.selectFrom('jobs').select('payload').where('kind', '=', LETTER_JOB).orderBy('id').execute()
  return jobs
    .map(({ payload }) => postedLetter.parse(payload))
    .filter(({ to }) => to === address)
    .map((letter) => ({ kind: letter.kind, data: JSON.parse(contentOf(letter) ?? 'null') }))
}

/** The link token and the code of the latest letter of a kind. */
export async function secretsOf(address: string, kind: string) {
  const letter = (await lettersTo(address)).findLast((candidate) => candidate.kind === kind)
  return secrets.parse(letter?.data)
}
