import { audit } from '#app/identity/audit.server.ts'
import { isFollowed, keepFollowed } from '#app/one-time-token/one-time-token.server.ts'
import { confirmEmail, type User } from '#app/identity/user.server.ts'
import { env } from '#app/platform/env.server.ts'
import type { Trx } from '#app/platform/db.server.ts'
import { endOtherSessions } from '#app/session/session.server.ts'
import type { Row } from '#db/tables.ts'
import { changeEmail, changePhone, confirmPhone } from './address.server.ts'

type Token = Row<'oneTimeTokens'>

/**
 * Draws what follows from a token that has just been used up: an address is proven, or the account gets another one. `half`: the letter
 * to the other address has to be followed as well. `nothing`: what the token was for is no longer wanted.
 */
export async function proveAddress(trx: Trx, user: User, token: Token): Promise<'done' | 'half' | 'nothing'> {
  if (token.kind === 'phone_change') return applyPhone(trx, user, token)
  if (token.kind === 'email_change_new' || token.kind === 'email_change_current') return applyEmail(trx, user, token)
  const isFirst = !user.emailConfirmedAt && !user.phoneConfirmedAt
  const owner = isFirst && isOfAnother(user, token) ? await dropUnproven(trx, user, token) : user
  if (token.sentTo !== user.phone) await confirmEmail(trx, owner)
  else await acceptByPhone(trx, owner, isFirst)
  return 'done'
}

/** Whether whoever follows this need not be who made the account. Of someone who is invited any letter may be the one that they follow. */
function isOfAnother({ invitedAt }: User, { kind, dropsUnproven }: Token): boolean {
  return dropsUnproven || kind === 'recovery' || invitedAt !== null
}

/** The invitation was a letter; who comes in by a message first has accepted it as well. */
async function acceptByPhone(trx: Trx, user: User, isFirst: boolean): Promise<void> {
  if (isFirst && user.invitedAt) await audit(trx, 'invite_accepted', { actorId: user.id, subjectId: user.id })
  await confirmPhone(trx, user)
}

async function applyPhone(trx: Trx, user: User, { sentTo }: Token) {
  if (user.newPhone !== sentTo) return 'nothing'
  await changePhone(trx, user, sentTo)
  return 'done'
}

/**
 * The new address has to be proven, and the old one to agree where that is wanted; the order does not matter. Where addresses need no
 * confirmation, either letter will do.
 */
async function applyEmail(trx: Trx, user: User, token: Token) {
  const { newEmail } = user
  if (!newEmail) return 'nothing'
  const other = token.kind === 'email_change_new' ? 'email_change_current' : 'email_change_new'
  const needsOther = other === 'email_change_new' || (user.email !== null && env.MAILER_SECURE_EMAIL_CHANGE_ENABLED)
  if (needsOther && !env.MAILER_AUTOCONFIRM && !(await isFollowed(trx, user.id, other, newEmail))) {
    await keepFollowed(trx, token, newEmail)
    return 'half'
  }
  await changeEmail(trx, user, newEmail.toLowerCase())
  return 'done'
}

/**
 * Whoever set a password, a second step or an address to change to, or came in by another way, before the address was proven need not be the person who has
 * just proven it.
 */
async function dropUnproven(trx: Trx, user: User, { sentTo }: Token): Promise<User> {
  const provider = sentTo === user.phone ? 'phone' : 'email'
  await endOtherSessions(trx, user.id, undefined)
  await trx.deleteFrom('identities').where('userId', '=', user.id).where('provider', '!=', provider).execute()
  await trx.deleteFrom('mfaFactors').where('userId', '=', user.id).execute()
  await trx.deleteFrom('recoveryCodes').where('userId', '=', user.id).execute()
  return trx
    .updateTable('users')
    .set({
      passwordHash: null,
      passwordShort: false,
      newEmail: null,
      newPhone: null,
      appMetadata: JSON.stringify({ ...user.appMetadata, provider, providers: [provider] }),
    })
    .where('id', '=', user.id)
    .returningAll()
    .executeTakeFirstOrThrow()
}
