import { createHash, randomBytes, randomInt, timingSafeEqual } from 'node:crypto'
import { type Database, db, insert, newId, transaction, type Trx } from '#app/platform/database/db.server.ts'
import { lockIfThere } from '#app/auth/users/user.server.ts'
import { env } from '#app/platform/env.server.ts'
import { mac } from '#app/platform/guard/keys.server.ts'
import type { Row } from '#db/tables.ts'
import { type Brought, broughtBy, sealBrought } from './brought.server.ts'
import { FLOW_PREFIX } from './flow-link.ts'
import { lifeSeconds } from './token-life.server.ts'

export type TokenKind = Row<'oneTimeTokens'>['kind']

/**
 * `flowId`: the link leads to a code of that flow. `brought`: data that a sign-up sets once this token proves its address. `signUp`: the
 * sign-up that a later email may renew, or a key that keeps this token apart from others of its kind. `hasCode`: the email shows the code.
 */
type TokenOptions = {
  flowId?: string | undefined
  brought?: Partial<Brought> | undefined
  signUp?: string | undefined
  hasCode?: boolean | undefined
}

const LINK_BYTES = 32
const MOST_TRIES = 5

/** Marks a token whose email shows no code. */
const NO_CODE = 32_000

/** Only so many newest codes of an address work. The links of older emails still work. */
const CODES_AT_ONCE = 3

/**
 * Creates the link and the code for an email, or for a message to a phone. Only the latest of a kind works. Tokens of different sign-ups
 * all work, so a stranger's later sign-up cannot cancel another.
 */
export async function issueToken(
  trx: Trx,
  userId: string,
  kind: TokenKind,
  sentTo: string,
  { flowId, brought, signUp, hasCode = true }: TokenOptions = {},
): Promise<{ link: string; code: string }> {
  const link = (flowId ? FLOW_PREFIX : '') + randomBytes(LINK_BYTES).toString('base64url')
  const code = newCode(sentTo)
  const linkHash = hashOf(link)
  const fresh = {
    linkHash,
    codeHmac: hasCode ? macOf(userId, kind, code) : randomBytes(LINK_BYTES),
    sentTo: sentTo.toLowerCase(),
    tries: hasCode ? 0 : NO_CODE,
    flowId: flowId ?? null,
    broughtSealed: brought ? sealBrought(linkHash, brought) : null,
    followedAt: null,
  }
  await trx
    .insertInto('oneTimeTokens')
    .values({ id: newId(), userId, kind, signUp: signUp ?? ownSignUp(kind, linkHash, brought), ...fresh })
    .onConflict((conflict) => conflict.columns(['userId', 'kind', 'signUp']).doUpdateSet({ ...fresh, issuedAt: new Date() }))
    .execute()
  return { link, code }
}

/** A token without sign-up data replaces the previous one. */
function ownSignUp(kind: TokenKind, linkHash: Buffer, brought: Partial<Brought> | undefined): string {
  const isSignUp = kind === 'confirmation' || kind === 'address'
  const { passwordHash, typedHash, identity, data = {} } = brought ?? {}
  const bringsAny = passwordHash || typedHash || identity || Object.keys(data).length > 0
  return isSignUp && bringsAny ? linkHash.toString('base64url') : ''
}

/** Uses up a link token and returns it. A second request at the same moment gets nothing. */
export async function useLink(trx: Trx, link: string, kinds: readonly TokenKind[]): Promise<Row<'oneTimeTokens'> | undefined> {
  const token = await findLink(link, kinds, trx)
  return token && (await spendToken(trx, token)) ? token : undefined
}

/** Whether no other email or message of the account waits, not even an expired one. */
export async function isOnlyToken(connection: Database | Trx, { id, userId }: Row<'oneTimeTokens'>): Promise<boolean> {
  const others = connection.selectFrom('oneTimeTokens').select('id').where('userId', '=', userId).where('id', '!=', id)
  return (await others.limit(1).executeTakeFirst()) === undefined
}

/** Someone else wants an address too: the open sign-ups of programs are no longer the only request for it. */
export async function noteOtherRequest(address: string): Promise<void> {
  const tokens = await db
    .selectFrom('oneTimeTokens')
    .select(['id', 'linkHash', 'broughtSealed'])
    .where('sentTo', '=', address)
    .where('broughtSealed', 'is not', null)
    .execute()
  for (const token of tokens) {
    const parcel = broughtBy(token)
    if (parcel?.by !== 'program') continue
    const broughtSealed = sealBrought(token.linkHash, { ...parcel, by: 'page' })
    await db.updateTable('oneTimeTokens').set({ broughtSealed }).where('id', '=', token.id).execute()
  }
}

/** The hashes of the passwords of an address's open sign-ups. */
export async function listOpenPasswords(address: string): Promise<string[]> {
  const tokens = await db
    .selectFrom('oneTimeTokens')
    .select(['linkHash', 'broughtSealed'])
    .where('sentTo', '=', address)
    .where('broughtSealed', 'is not', null)
    .where('issuedAt', '>', secondsAgo(lifeSeconds.link))
    .execute()
  return tokens.flatMap((token) => {
    const { passwordHash, typedHash } = broughtBy(token) ?? {}
    return passwordHash ?? typedHash ?? []
  })
}

/** The data of one sign-up, even after its email has expired. */
export async function findSignUp(trx: Trx, userId: string, signUp: string): Promise<Brought | undefined> {
  const token = await trx
    .selectFrom('oneTimeTokens')
    .selectAll()
    .where('userId', '=', userId)
    .where('kind', '=', 'confirmation')
    .where('signUp', '=', signUp)
    .executeTakeFirst()
  return token && broughtBy(token)
}

/** For an invitation: earlier sign-ups must not set anything in the invited account. */
export async function voidSignUps(trx: Trx, userId: string): Promise<void> {
  await trx.deleteFrom('oneTimeTokens').where('userId', '=', userId).where('kind', 'in', ['confirmation', 'address']).execute()
}

/** Finds a valid link without using it up. */
export async function findLink(
  link: string,
  kinds: readonly TokenKind[],
  connection: Database | Trx = db,
): Promise<Row<'oneTimeTokens'> | undefined> {
  return connection
    .selectFrom('oneTimeTokens')
    .selectAll()
    .where('linkHash', '=', hashOf(link))
    .where('kind', 'in', kinds)
    .where('issuedAt', '>', secondsAgo(lifeSeconds.link))
    .executeTakeFirst()
}

/** The account of a link, even if the link has expired or is of another kind. */
export async function findLinkOwner(link: string): Promise<string | undefined> {
  const token = await db.selectFrom('oneTimeTokens').select('userId').where('linkHash', '=', hashOf(link)).executeTakeFirst()
  return token?.userId
}

/** The account of the latest code of these kinds that was sent to this address. */
export async function findAddressee(address: string, kinds: readonly TokenKind[]): Promise<string | undefined> {
  const sent = db.selectFrom('oneTimeTokens').select('userId').where('sentTo', '=', address).where('kind', 'in', kinds)
  return (await sent.orderBy('issuedAt', 'desc').limit(1).executeTakeFirst())?.userId
}

/**
 * Finds the token of a typed code by the address that it was sent to. Only the newest codes are compared, so emails that strangers request
 * add no chances to a guess. The try is committed before the comparison, so parallel guesses cannot outrun the count. `most` limits the
 * tries of one token. The token is not used up yet: `spendToken` does that.
 */
export async function tryCode(
  address: string,
  code: string,
  kinds: readonly TokenKind[],
  { most = MOST_TRIES } = {},
): Promise<Row<'oneTimeTokens'> | undefined> {
  const tokens = await transaction(async (trx) => {
    const sent = trx.selectFrom('oneTimeTokens').where('sentTo', '=', address).where('kind', 'in', kinds).where('tries', '<', NO_CODE)
    await trx.selectFrom('users').select('id').where('id', 'in', sent.select('userId')).orderBy('id').forUpdate().execute()
    const newest = sent.select('id').orderBy('issuedAt', 'desc').orderBy('id', 'desc').limit(CODES_AT_ONCE)
    return trx
      .updateTable('oneTimeTokens')
      .set((row) => ({ tries: row('tries', '+', 1) }))
      .where('id', 'in', newest)
      .where('tries', '<', most)
      .where('issuedAt', '>', secondsAgo(isPhone(address) ? env.SMS_OTP_EXP : lifeSeconds.code))
      .returningAll()
      .execute()
  })
  // Two sign-ups can have the same code, by chance or from SMS_TEST_OTP.
  const newestFirst = tokens.toSorted((one, other) => other.issuedAt.getTime() - one.issuedAt.getTime())
  return newestFirst.find(({ userId, kind, codeHmac }) => timingSafeEqual(macOf(userId, kind, code), codeHmac))
}

/**
 * Uses up a found token; returns `false` if it was used or replaced since. The account is locked before its token, as everywhere, to avoid
 * deadlocks.
 */
export async function spendToken(trx: Trx, { id, linkHash, userId }: Row<'oneTimeTokens'>): Promise<boolean> {
  if (!(await lockIfThere(trx, userId))) return false
  const { numDeletedRows } = await trx.deleteFrom('oneTimeTokens').where('id', '=', id).where('linkHash', '=', linkHash).executeTakeFirst()
  return numDeletedRows > 0n
}

/**
 * Records that one of two required emails was confirmed. `about` names their subject, so a consent to one change does not count for
 * another. The record itself is not a valid token.
 */
export async function keepFollowed(trx: Trx, { userId, kind, issuedAt }: Row<'oneTimeTokens'>, about: string): Promise<void> {
  const nothing = { linkHash: randomBytes(LINK_BYTES), codeHmac: randomBytes(LINK_BYTES), tries: MOST_TRIES }
  await insert(trx, 'oneTimeTokens', { ...nothing, userId, kind, issuedAt, sentTo: about.toLowerCase(), followedAt: new Date() })
}

/** Whether an email of this kind about the same subject was confirmed while its link was valid. */
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

/** After a confirmation, a recovery or a new password, all earlier emails must stop working. */
export async function voidTokens(trx: Trx, userId: string): Promise<void> {
  await trx.deleteFrom('oneTimeTokens').where('userId', '=', userId).execute()
}

/** A numeric code with the length set for phones or for emails. Numbers in SMS_TEST_OTP have a fixed code. */
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
