import { expect, vi } from 'vitest'
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

/** The same of a letter that the worker is still to write: the `count`th of its kind. */
export async function secretsSoon(address: string, kind: string, count = 1) {
  const enough = async () => {
    const kinds = (await lettersTo(address)).map((letter) => letter.kind)
    expect(kinds.filter((found) => found === kind)).toHaveLength(count)
  }
  await vi.waitFor(enough, 5000)
  return secretsOf(address, kind)
}
