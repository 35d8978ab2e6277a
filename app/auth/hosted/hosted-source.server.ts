import { z } from 'zod'
import { db, type Trx } from '#app/platform/database/db.server.ts'
import type { Source } from '#app/platform/http/source.ts'

/** The approximate maximum of sign-ups without a session. Only a flood of sign-ups exceeds it. */
const MOST_SIGN_UPS = 10_000

/** The service returns the user, or a session with the user. */
const signedUp = z.union([z.object({ user: z.object({ id: z.guid() }) }).transform(({ user }) => user), z.object({ id: z.guid() })])

/**
 * Keeps where a sign-up at the hosted service came from until its account's first session. It cannot be in the user's metadata, which every
 * token has.
 */
export async function noteHostedSource(answer: unknown, source: Source): Promise<void> {
  const { data } = signedUp.safeParse(answer)
  if (!data) return
  const all = db.selectFrom('hostedSignUps').select(({ fn }) => fn.countAll<number>().as('count'))
  if ((await all.executeTakeFirstOrThrow()).count >= MOST_SIGN_UPS) return
  await db
    .insertInto('hostedSignUps')
    .values({ id: data.id, cameFrom: JSON.stringify(source) })
    .onConflict((conflict) => conflict.column('id').doNothing())
    .execute()
}

/** Moves the source to the account. */
export async function moveHostedSource(trx: Trx, id: string): Promise<void> {
  const noted = await trx.deleteFrom('hostedSignUps').where('id', '=', id).returning('cameFrom').executeTakeFirst()
  if (!noted) return
  await trx
    .updateTable('hostedAccounts')
    .set({ cameFrom: JSON.stringify(noted.cameFrom) })
    .where('id', '=', id)
    .where('cameFrom', 'is', null)
    .execute()
}
