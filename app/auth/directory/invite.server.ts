import { enqueueEmail } from '#app/mail/outbox.server.ts'
import type { Trx } from '#app/platform/database/db.server.ts'
import { type Actor, audit, by } from '#app/auth/users/audit.server.ts'
import { inviteEmail } from '#app/auth/tokens/invite.email.tsx'
import { issueToken, voidSignUps } from '#app/auth/tokens/one-time-token.server.ts'
import { refuse } from '#app/auth/protocol/refusal.ts'
import type { Role } from '#app/auth/users/role.ts'
import { lockByEmail, type Metadata, type User } from '#app/auth/users/user.server.ts'
import { endOtherSessions } from '#app/auth/sessions/session.server.ts'
import { makeUser } from './add-user.server.ts'

/** The role takes effect once the address is proven. */
export type Invitation = { email: string; data: Metadata; target?: string | undefined; role?: Role }

/** Invites by email. An account with a confirmed email is refused; an unconfirmed one gets a new email. */
export async function inviteByEmail(trx: Trx, { target, ...invitation }: Invitation, actor: Actor): Promise<User> {
  const { email, role = 'customer' } = invitation
  const { user, link, code } = await prepareInvitation(trx, invitation)
  await enqueueEmail(trx, inviteEmail(email, { link, code, ...(target && { target }) }))
  await audit(trx, 'user_invited', { ...by(actor), subjectId: user.id, detail: role === 'customer' ? {} : { role } })
  return user
}

/** Prepares the invited account, and the link and code of its email. */
export async function prepareInvitation(
  trx: Trx,
  { email, data, role = 'customer' }: Invitation,
): Promise<{ user: User; link: string; code: string }> {
  const known = await lockByEmail(trx, email)
  if (known?.emailConfirmedAt) refuse('email_exists')
  const { id } = known ?? (await makeUser(trx, { email, userMetadata: data }))
  // Someone signed in with an unproven address may not be the invited person.
  if (known) await endOtherSessions(trx, id, undefined)
  if (known) await voidSignUps(trx, id)
  const now = new Date()
  const user = await trx
    .updateTable('users')
    .set({
      invitedAt: now,
      invitedRole: role === 'customer' ? null : role,
      confirmationSentAt: now,
      updatedAt: now,
      // Remove a password from before the proof: it may not be the invited person's.
      passwordHash: null,
      passwordShort: false,
      ...(known && { userMetadata: JSON.stringify({ ...known.userMetadata, ...data }) }),
    })
    .where('id', '=', id)
    .returningAll()
    .executeTakeFirstOrThrow()
  return { user, ...(await issueToken(trx, id, 'confirmation', email)) }
}
