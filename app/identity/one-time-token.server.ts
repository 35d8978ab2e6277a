import { createHash, randomBytes, randomInt, timingSafeEqual } from 'node:crypto'
import { db, newId, type Trx } from '#app/platform/db.server.ts'
import { mac } from '#app/platform/keys.server.ts'
import type { Row } from '#db/tables.ts'
import { lifeSeconds } from './token-life.server.ts'

export type TokenKind = Row<'oneTimeTokens'>['kind']

const LINK_BYTES = 32
const CODE_DIGITS = 6
const MOST_TRIES = 5

/** Makes the link token and the code that a letter carries. The latest of a kind is the only one that works. */
export async function issueToken(trx: Trx, userId: string, kind: TokenKind, sentTo: string): Promise<{ link: string; code: string }> {
  const link = randomBytes(LINK_BYTES).toString('base64url')
  const code = String(randomInt(10 ** CODE_DIGITS)).padStart(CODE_DIGITS, '0')
  const fresh = { linkHash: hashOf(link), codeHmac: macOf(userId, kind, code), sentTo, tries: 0 }
  await trx
    .insertInto('oneTimeTokens')
    .values({ id: newId(), userId, kind, ...fresh })
    .onConflict((conflict) => conflict.columns(['userId', 'kind']).doUpdateSet({ ...fresh, issuedAt: new Date() }))
    .execute()
  return { link, code }
}

/** Uses up a link token: who else presents it at the same moment gets nothing. Answers whose it was. */
export async function useLink(trx: Trx, link: string, kinds: readonly TokenKind[]): Promise<Row<'oneTimeTokens'> | undefined> {
  return trx
    .deleteFrom('oneTimeTokens')
    .where('linkHash', '=', hashOf(link))
    .where('kind', 'in', kinds)
    .where('issuedAt', '>', secondsAgo(lifeSeconds.link))
    .returningAll()
    .executeTakeFirst()
}

/** Whether a link would work now, without using it up. */
export async function findLink(link: string, kinds: readonly TokenKind[]): Promise<Row<'oneTimeTokens'> | undefined> {
  return db
    .selectFrom('oneTimeTokens')
    .selectAll()
    .where('linkHash', '=', hashOf(link))
    .where('kind', 'in', kinds)
    .where('issuedAt', '>', secondsAgo(lifeSeconds.link))
    .executeTakeFirst()
}

/**
 * Finds the token that a typed code belongs to. The try is counted, for good, before anything is compared, so that guesses sent
 * at the same moment cannot outrun the count. The token is not used up yet: `useToken` does that.
 */
export async function tryCode(userId: string, code: string, kinds: readonly TokenKind[]): Promise<Row<'oneTimeTokens'> | undefined> {
  const tokens = await db
    .updateTable('oneTimeTokens')
    .set((row) => ({ tries: row('tries', '+', 1) }))
    .where('userId', '=', userId)
    .where('kind', 'in', kinds)
    .where('tries', '<', MOST_TRIES)
    .where('issuedAt', '>', secondsAgo(lifeSeconds.code))
    .returningAll()
    .execute()
  return tokens.find(({ kind, codeHmac }) => timingSafeEqual(macOf(userId, kind, code), codeHmac))
}

/** Uses up the very token that a code was compared with; `false` when it has been used or replaced since. */
export async function useToken(trx: Trx, { id, linkHash }: Row<'oneTimeTokens'>): Promise<boolean> {
  const { numDeletedRows } = await trx.deleteFrom('oneTimeTokens').where('id', '=', id).where('linkHash', '=', linkHash).executeTakeFirst()
  return numDeletedRows > 0n
}

/** After a confirmation, a recovery or a new password no letter that was sent before may still open anything. */
export async function voidTokens(trx: Trx, userId: string): Promise<void> {
  await trx.deleteFrom('oneTimeTokens').where('userId', '=', userId).execute()
}

function hashOf(link: string): Buffer {
  return createHash('sha256').update(link).digest()
}

function macOf(userId: string, kind: TokenKind, code: string): Buffer {
  return mac('one-time-code', `${userId}:${kind}:${code}`)
}

function secondsAgo(seconds: number): Date {
  return new Date(Date.now() - seconds * 1000)
}
