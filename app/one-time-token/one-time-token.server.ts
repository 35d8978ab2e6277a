import { createHash, randomBytes, randomInt, timingSafeEqual } from 'node:crypto'
import { type Database, db, insert, newId, type Trx } from '#app/platform/db.server.ts'
import { env } from '#app/platform/env.server.ts'
import { mac } from '#app/platform/keys.server.ts'
import type { Row } from '#db/tables.ts'
import { type Brought, broughtBy, sealBrought } from './brought.server.ts'
import { FLOW_PREFIX } from './flow-link.ts'
import { lifeSeconds } from './token-life.server.ts'

export type TokenKind = Row<'oneTimeTokens'>['kind']

/** `flowId`: the link leads to a code of that flow. `brought`: what a sign-up sets once this token proves its address. */
type TokenOptions = { flowId?: string | undefined; brought?: Partial<Brought> | undefined }

const LINK_BYTES = 32
const MOST_TRIES = 5
const NO_USER = '00000000-0000-0000-0000-000000000000'

/** Makes the link token and the code that a letter carries, or a message to a phone. The latest of a kind is the only one that works. */
export async function issueToken(
  trx: Trx,
  userId: string,
  kind: TokenKind,
  sentTo: string,
  { flowId, brought }: TokenOptions = {},
): Promise<{ link: string; code: string }> {
  const link = (flowId ? FLOW_PREFIX : '') + randomBytes(LINK_BYTES).toString('base64url')
  const code = newCode(sentTo)
  const linkHash = hashOf(link)
  const fresh = {
    linkHash,
    codeHmac: macOf(userId, kind, code),
    sentTo: sentTo.toLowerCase(),
    tries: 0,
    flowId: flowId ?? null,
    broughtSealed: brought ? sealBrought(linkHash, brought) : null,
    followedAt: null,
  }
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

/**
 * What the newest sign-up of an account has brought, while its email can still be followed, or `evenOld`. The work is the same where there is no account.
 */
export async function findPending(
  connection: Database | Trx,
  userId: string | undefined,
  { evenOld = false } = {},
): Promise<Brought | undefined> {
  const token = await connection
    .selectFrom('oneTimeTokens')
    .selectAll()
    .where('userId', '=', userId ?? NO_USER)
    .where('kind', '=', 'confirmation')
    .executeTakeFirst()
  const isOld = token !== undefined && token.issuedAt <= secondsAgo(lifeSeconds.link)
  return token && (evenOld || !isOld) ? broughtBy(token) : undefined
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

/** The account that a link was made for, also when the link is too old or of another kind. */
export async function findLinkOwner(link: string): Promise<string | undefined> {
  const token = await db.selectFrom('oneTimeTokens').select('userId').where('linkHash', '=', hashOf(link)).executeTakeFirst()
  return token?.userId
}

/** The account that a code of these kinds was last sent for to this address. */
export async function findAddressee(address: string, kinds: readonly TokenKind[]): Promise<string | undefined> {
  const sent = db.selectFrom('oneTimeTokens').select('userId').where('sentTo', '=', address).where('kind', 'in', kinds)
  return (await sent.orderBy('issuedAt', 'desc').limit(1).executeTakeFirst())?.userId
}

/**
 * Finds the token that a typed code belongs to, by the address that it was sent to. The try is counted, for good, before anything is compared, so
 * that guesses sent at the same moment cannot outrun the count. The token is not used up yet: `useToken` does that.
 */
export async function tryCode(address: string, code: string, kinds: readonly TokenKind[]): Promise<Row<'oneTimeTokens'> | undefined> {
  const tokens = await db
    .updateTable('oneTimeTokens')
    .set((row) => ({ tries: row('tries', '+', 1) }))
    .where('sentTo', '=', address)
    .where('kind', 'in', kinds)
    .where('tries', '<', MOST_TRIES)
    .where('issuedAt', '>', secondsAgo(isPhone(address) ? env.SMS_OTP_EXP : lifeSeconds.code))
    .returningAll()
    .execute()
  return tokens.find(({ userId, kind, codeHmac }) => timingSafeEqual(macOf(userId, kind, code), codeHmac))
}

/** Uses up the very token that a code was compared with; `false` when it has been used or replaced since. */
export async function useToken(trx: Trx, { id, linkHash }: Row<'oneTimeTokens'>): Promise<boolean> {
  const { numDeletedRows } = await trx.deleteFrom('oneTimeTokens').where('id', '=', id).where('linkHash', '=', linkHash).executeTakeFirst()
  return numDeletedRows > 0n
}

/**
 * Keeps, of a token that has been used up, that it was: for one of two letters that have to be followed both. `about` is what they are about, so that
 * nobody's consent to one thing counts for another. What is kept opens nothing.
 */
export async function keepFollowed(trx: Trx, { userId, kind, issuedAt }: Row<'oneTimeTokens'>, about: string): Promise<void> {
  const nothing = { linkHash: randomBytes(LINK_BYTES), codeHmac: randomBytes(LINK_BYTES), tries: MOST_TRIES }
  await insert(trx, 'oneTimeTokens', { ...nothing, userId, kind, issuedAt, sentTo: about.toLowerCase(), followedAt: new Date() })
}

/** Whether a letter of this kind about the same thing has been followed, and not too long ago. */
export async function isFollowed(trx: Trx, userId: string, kind: TokenKind, about: string): Promise<boolean> {
  const kept = await trx
    .selectFrom('oneTimeTokens')
    .select('id')
    .where('userId', '=', userId)
    .where('kind', '=', kind)
    .where('sentTo', '=', about.toLowerCase())
    .where('followedAt', 'is not', null)
    .where('issuedAt', '>', secondsAgo(lifeSeconds.link))
    .executeTakeFirst()
  return kept !== undefined
}

/** After a confirmation, a recovery or a new password no letter that was sent before may still open anything. */
export async function voidTokens(trx: Trx, userId: string): Promise<void> {
  await trx.deleteFrom('oneTimeTokens').where('userId', '=', userId).execute()
}

/** A code to type, as long as those for phones or those of letters are. Numbers of the operator's own tests have one that never changes. */
export function newCode(sentTo: string): string {
  const agreed = env.SMS_TEST_OTP.get(sentTo)
  if (agreed) return agreed
  const digits = isPhone(sentTo) ? env.SMS_OTP_LENGTH : env.MAILER_OTP_LENGTH
  return String(randomInt(10 ** digits)).padStart(digits, '0')
}

function isPhone(address: string): boolean {
  return !address.includes('@')
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
