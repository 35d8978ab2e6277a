import { accountKey } from '#app/mail/budget.server.ts'
import { type TokenKind, tryCode } from '#app/auth/tokens/one-time-token.server.ts'
import { isFamiliarTo } from '#app/auth/users/familiar-network.server.ts'
import { notingLimit } from '#app/auth/users/refused.server.ts'
import type { User } from '#app/auth/users/user.server.ts'
import { consume, customerKey, forgive, giveBack, type Limit, visitorKey } from '#app/platform/guard/limits.server.ts'
import { Stop } from '#app/platform/errors/stop.ts'
import type { Client } from '#app/auth/sessions/client.ts'
import type { Row } from '#db/tables.ts'
import { findCodeOwner } from './failed-proof.server.ts'

// Each visitor has few tries at the codes of an address, separate from those of other visitors. All visitors together have 100 a day. A code
// has six digits, and `tryCode` compares a try with the newest three codes of the address. So an attacker with ten networks who also requests
// three codes every ten minutes has a chance of 100 × 3 / 1,000,000 = 0.03 % a day. With one valid code it is 0.01 %. The limit of 100 does not
// hold up a network where the user has signed in before; its own ten tries a day add 0.003 %.
const byVisitor: Limit = { name: 'one-time-code-visitor', points: 5, seconds: 3600 }
const byCustomer: Limit = { name: 'one-time-code-customer', points: 10, seconds: 24 * 3600 }
const byAll: Limit = { name: 'one-time-code', points: 100, seconds: 24 * 3600 }

/** Tries of one token by all visitors, even if the counters above are lost. The last ones are only for familiar networks. */
const MOST_TRIES = { stranger: byAll.points, familiar: byAll.points + 20 }

/** Only the signed-in user enters a nonce, so strangers cannot use up its tries. */
const nonces: Limit = { name: 'one-time-nonce', points: 5, seconds: 3600 }

/** Finds the token of a typed code. The try is counted first; a right code resets the visitor's earlier tries. */
export async function findTyped(
  address: string,
  code: string,
  kinds: readonly TokenKind[],
  client: Client,
): Promise<Row<'oneTimeTokens'> | undefined> {
  const [visitor, customer] = [visitorKey(client.address), customerKey(client.address)]
  const [ofVisitor, ofCustomer] = [accountKey(`${address} by ${visitor}`), accountKey(`${address} by ${customer}`)]
  const findSubject = () => findCodeOwner(address, kinds)
  const isFamiliar = await notingLimit({ kind: 'code', account: accountKey(address), findSubject, address: client.address }, async () => {
    await consume(byVisitor, ofVisitor)
    await consume(byCustomer, ofCustomer)
    return countForAll(address, visitor)
  })
  const token = await tryCode(address, code, kinds, { most: isFamiliar ? MOST_TRIES.familiar : MOST_TRIES.stranger })
  if (!token) return undefined
  await Promise.all([forgive(byVisitor, ofVisitor), forgive(byCustomer, ofCustomer), giveBack(byAll, accountKey(address))])
  return token
}

/** Returns whether the try exceeds the common limit and is allowed because it comes from a familiar network. */
async function countForAll(address: string, visitor: string): Promise<boolean> {
  try {
    await consume(byAll, accountKey(address))
    return false
  } catch (error) {
    if (!(error instanceof Stop) || !(await isFamiliarTo(address, visitor))) throw error
    return true
  }
}

/** Finds the token of a nonce that was sent to this user before a sensitive change. */
export async function findNonce({ id, email, phone }: User, nonce: string, { address }: Client): Promise<Row<'oneTimeTokens'> | undefined> {
  await notingLimit({ kind: 'code', account: id, subjectId: id, actorId: id, address }, () => consume(nonces, id))
  const token = await tryCode(email ?? phone ?? '', nonce, ['reauthentication'])
  if (token?.userId !== id) return undefined
  await forgive(nonces, id)
  return token
}
