import { accountKey } from '#app/mail/budget.server.ts'
import { noteRefusal } from '#app/auth/users/refused.server.ts'
import { findUserByEmail, findUserByPhone, type User } from '#app/auth/users/user.server.ts'
import { findAddressee, findLink, findLinkOwner, type TokenKind } from '#app/auth/tokens/one-time-token.server.ts'
import { db } from '#app/platform/database/db.server.ts'
import { visitorKey } from '#app/platform/guard/limits.server.ts'
import type { Client } from '#app/auth/sessions/client.ts'
import type { Row } from '#db/tables.ts'

type Failure = { reason: string; userId?: string | undefined }
export type Note = (failure: Failure) => void

/** Returns a function that records a refused code as a failed sign-in. */
export function codeNote(sentTo: string, kinds: readonly TokenKind[], { address }: Client): Note {
  return ({ reason, userId }) =>
    noteRefusal({
      action: 'login_failed',
      account: accountKey(sentTo),
      subjectId: userId,
      findSubject: () => findCodeOwner(sentTo, kinds),
      address,
      detail: { method: 'code', reason },
    })
}

/** Returns a function that records a refused link as a failed sign-in. A made-up link names no account, so links count by network address. */
export function linkNote(link: string, { address }: Client): Note {
  return ({ reason, userId }) =>
    noteRefusal({
      action: 'login_failed',
      account: `link:${visitorKey(address)}`,
      subjectId: userId,
      findSubject: () => findLinkOwner(link),
      address,
      detail: { method: 'link', reason },
    })
}

/** Like `findLink`, but records a wrong or used link. */
export async function openedLink(link: string, kinds: readonly TokenKind[], client: Client): Promise<Row<'oneTimeTokens'> | undefined> {
  const token = await findLink(link, kinds)
  if (!token && link !== '') linkNote(link, client)({ reason: 'otp_expired' })
  return token
}

/** Records that a signed-in user failed to confirm their identity. */
export function noteFailedProof({ id }: User, { address }: Client): void {
  noteRefusal({
    action: 'verification_attempted',
    account: id,
    actorId: id,
    subjectId: id,
    address,
    detail: { method: 'code', passed: false },
  })
}

/** Looks at sent codes first: the code of an address change goes to an address that is not the account's yet. */
export async function findCodeOwner(sentTo: string, kinds: readonly TokenKind[]): Promise<string | undefined> {
  const addressee = await findAddressee(sentTo, kinds)
  if (addressee) return addressee
  const user = await (sentTo.includes('@') ? findUserByEmail(db, sentTo) : findUserByPhone(db, sentTo))
  return user?.id
}
