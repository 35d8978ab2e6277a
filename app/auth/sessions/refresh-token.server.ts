import { createHash, hkdfSync, randomBytes } from 'node:crypto'
import { db, type Trx } from '#app/platform/database/db.server.ts'
import { env } from '#app/platform/env.server.ts'
import { sealWith, unsealWith } from '#app/platform/guard/keys.server.ts'
import type { Row } from '#db/tables.ts'

type Stored = Row<'refreshTokens'>

const TOKEN_BYTES = 32
const TOKEN_SHAPE = /^[\w-]{43}$/

/** Checks only the form. */
export function isRefreshToken(token: string): boolean {
  return TOKEN_SHAPE.test(token)
}

export async function issueRefreshToken(trx: Trx, sessionId: string): Promise<string> {
  const token = newToken()
  await trx
    .insertInto('refreshTokens')
    .values({ tokenHash: hashOf(token), sessionId })
    .execute()
  return token
}

export function findRefreshToken(connection: Trx | typeof db, token: string): Promise<Stored | undefined> {
  return connection.selectFrom('refreshTokens').selectAll().where('tokenHash', '=', hashOf(token)).executeTakeFirst()
}

/**
 * Replaces the active token. The old row stores its successor, encrypted with a key derived from the old token. So a client can get the
 * successor again, but the database alone reveals no token.
 */
export async function rotateRefreshToken(trx: Trx, token: string, { sessionId }: Stored): Promise<string> {
  const successor = newToken()
  const [tokenHash, successorHash] = [hashOf(token), hashOf(successor)]
  await trx
    .updateTable('refreshTokens')
    .set({ usedAt: new Date(), successorSealed: sealWith(keyOf(token), sessionId, successor) })
    .where('tokenHash', '=', tokenHash)
    .execute()
  await trx.insertInto('refreshTokens').values({ tokenHash: successorHash, sessionId, parentHash: tokenHash }).execute()
  return successor
}

/** Marks all tokens of a session as used, without a successor, so none of them can be renewed. */
export async function retireRefreshTokens(trx: Trx, sessionId: string): Promise<void> {
  await trx
    .updateTable('refreshTokens')
    .set({ usedAt: new Date(), successorSealed: null })
    .where('sessionId', '=', sessionId)
    .where('usedAt', 'is', null)
    .execute()
}

/** Whether a token was used within the reuse interval: the client may have lost the response, or a tab may be a moment late. */
export function isJustUsed({ usedAt }: Stored): boolean {
  return usedAt !== null && Date.now() - usedAt.getTime() < env.SECURITY_REFRESH_TOKEN_REUSE_INTERVAL * 1000
}

/**
 * Returns the active token to a client that presents one used a moment ago. After the interval it returns nothing: two clients then hold
 * tokens of one session.
 */
export async function followRefreshToken(trx: Trx, token: string, used: Stored): Promise<string | undefined> {
  if (!isJustUsed(used)) return undefined
  let [held, row] = [token, used]
  while (row.successorSealed) {
    held = unsealWith(keyOf(held), row.sessionId, row.successorSealed).toString()
    const next = await findRefreshToken(trx, held)
    if (!next) return undefined
    row = next
  }
  return row.usedAt ? undefined : held
}

/** Deletes tokens that were used long ago, except the parent of an active token: if it is presented again, it was copied. */
export async function purgeRefreshTokens(before: Date): Promise<void> {
  await db
    .deleteFrom('refreshTokens')
    .where('usedAt', '<', before)
    .where((row) =>
      row.not(
        row.exists(
          row
            .selectFrom('refreshTokens as child')
            .select('child.tokenHash')
            .whereRef('child.parentHash', '=', 'refreshTokens.tokenHash')
            .where('child.usedAt', 'is', null),
        ),
      ),
    )
    .execute()
}

function newToken(): string {
  return randomBytes(TOKEN_BYTES).toString('base64url')
}

function hashOf(token: string): Buffer {
  return createHash('sha256').update(token).digest()
}

function keyOf(token: string): Uint8Array {
  return Buffer.from(hkdfSync('sha256', token, '', 'refresh-token-successor', 32))
}
