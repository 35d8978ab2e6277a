import { accountKey } from '#app/account-letter/mail-budget.server.ts'
import { type TokenKind, tryCode } from '#app/one-time-token/one-time-token.server.ts'
import type { User } from '#app/identity/user.server.ts'
import { consume, forgive, type Limit } from '#app/platform/limits.server.ts'
import type { Row } from '#db/tables.ts'

/** Six digits can be guessed by who may try long enough, whatever number of letters is asked for. */
const codes: Limit = { name: 'one-time-code', points: 5, seconds: 3600 }

/** The token that a typed code belongs to, of this user where one is named. The try is counted; a right one makes those before it forgotten. */
export async function findTyped(
  address: string,
  code: string,
  kinds: readonly TokenKind[],
  userId?: string,
): Promise<Row<'oneTimeTokens'> | undefined> {
  await consume(codes, accountKey(address))
  const token = await tryCode(address, code, kinds)
  if (!token || (userId !== undefined && token.userId !== userId)) return undefined
  await forgive(codes, accountKey(address))
  return token
}

/** Whether a nonce is the one that was sent to this user, who is about to change what matters. The try counts as those of other codes do. */
export async function findNonce(user: User, nonce: string): Promise<Row<'oneTimeTokens'> | undefined> {
  return findTyped(user.email ?? user.phone ?? '', nonce, ['reauthentication'], user.id)
}
