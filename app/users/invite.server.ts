import { post } from '#app/mail/outbox.server.ts'
import type { Trx } from '#app/platform/db.server.ts'
import { type Actor, audit, by } from '#app/identity/audit.server.ts'
import { inviteLetter } from '#app/account-letter/invite.email.tsx'
import { issueToken } from '#app/one-time-token/one-time-token.server.ts'
import { refuse } from '#app/auth-protocol/refusal.ts'
import type { Role } from '#app/identity/role.ts'
import { findUserByEmail, type Metadata, type User } from '#app/identity/user.server.ts'
import { endOtherSessions } from '#app/session/session.server.ts'
import { makeUser } from './add-user.server.ts'

/** The role is given once the address is proven. */
export type Invitation = { email: string; data: Metadata; target?: string | undefined; role?: Role }

/** Invites by letter. Who has an account already is not invited; who has not followed a letter yet gets another one. */
export async function inviteByEmail(trx: Trx, { target, ...invitation }: Invitation, actor: Actor): Promise<User> {
  const { email, role = 'customer' } = invitation
  const { user, link, code } = await prepareInvitation(trx, invitation)
  await post(trx, inviteLetter(email, { link, code, ...(target && { target }) }))
  await audit(trx, 'user_invited', { ...by(actor), subjectId: user.id, detail: role === 'customer' ? {} : { role } })
  return user
}

/** The account of someone who is invited, and what a letter to them carries. */
export async function prepareInvitation(
  trx: Trx,
  { email, data, role = 'customer' }: Invitation,
): Promise<{ user: User; link: string; code: string }> {
  const known = await findUserByEmail(trx, email)
  if (known?.emailConfirmedAt) refuse('email_exists')
  const { id } = known ?? (await makeUser(trx, { email, userMetadata: data }))
  // Whoever is signed in without having proven the address need not be the person who is invited.
  if (known) await endOtherSessions(trx, id, undefined)
  const now = new Date()
  const user = await trx
    .updateTable('users')
    .set({
      invitedAt: now,
      invitedRole: role === 'customer' ? null : role,
      confirmationSentAt: now,
      updatedAt: now,
      // Whoever chose a password before the address was proven need not be the person who is invited.
      passwordHash: null,
      passwordShort: false,
      ...(known && { userMetadata: JSON.stringify({ ...known.userMetadata, ...data }) }),
    })
    .where('id', '=', id)
    .returningAll()
    .executeTakeFirstOrThrow()
  return { user, ...(await issueToken(trx, id, 'confirmation', email)) }
}
