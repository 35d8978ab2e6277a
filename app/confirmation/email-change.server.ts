import { type Asker, spendOwnLetter } from '#app/account-letter/mail-budget.server.ts'
import { findUserByEmail, type User } from '#app/identity/user.server.ts'
import { post } from '#app/mail/outbox.server.ts'
import type { Trx } from '#app/platform/db.server.ts'
import { env } from '#app/platform/env.server.ts'
import type { Proof } from '#app/session/flow-state.server.ts'
import { changeEmail } from './address.server.ts'
import { addressInUseLetter } from './address-in-use.email.tsx'
import { newAddressLetter, oldAddressLetter } from './email-change.email.tsx'
import { issueFlowToken } from './flow-token.server.ts'

/** `target` is where the links may lead to in the end, `proof` the key of a flow. */
export type Manner = { target?: string | undefined; proof?: Proof | undefined }

/** Counts the letters of a change that a user asks for: to the address, and by the user. */
export async function spendEmailChange(user: User, email: string, from: Asker): Promise<void> {
  if (appliesAtOnce(user)) return
  await spendOwnLetter('email_change', `by ${user.id}`, from)
  await spendOwnLetter('email_change', email, from)
}

/** Remembers the address that a user wants to have. It takes effect once letters have been followed; without confirmation, at once. */
export async function requestEmailChange(trx: Trx, user: User, email: string, manner: Manner): Promise<void> {
  if (appliesAtOnce(user)) return changeEmail(trx, user, email, { isAssumed: true })
  const wanted = await trx
    .updateTable('users')
    .set({ newEmail: email, updatedAt: new Date() })
    .where('id', '=', user.id)
    .returningAll()
    .executeTakeFirstOrThrow()
  return postEmailChange(trx, wanted, manner)
}

/** No address, so no code that is typed can match it. */
const UNREACHABLE = 'in-use'

/**
 * Sends the emails of a change that is wanted: to the new address, and for safety to the old one. Their tokens replace earlier ones. The holder
 * of a new address that is in use gets a notice instead, after the same work: the account that asks does not learn of it.
 */
export async function postEmailChange(trx: Trx, user: User, { target, proof }: Manner): Promise<void> {
  const { newEmail } = user
  if (!newEmail) return
  await trx.updateTable('users').set({ emailChangeSentAt: new Date() }).where('id', '=', user.id).execute()
  await trx
    .deleteFrom('oneTimeTokens')
    .where('userId', '=', user.id)
    .where('kind', 'in', ['email_change_current', 'email_change_new'])
    .execute()
  const method = 'email_change'
  const said = { newEmail, ...(target !== undefined && { target }) }
  const holder = await findUserByEmail(trx, newEmail)
  const secrets = await issueFlowToken(trx, user, 'email_change_new', holder ? UNREACHABLE : newEmail, { method, proof })
  await post(trx, holder ? addressInUseLetter(newEmail, {}) : newAddressLetter(newEmail, { ...secrets, ...said }))
  if (!user.email || !env.MAILER_SECURE_EMAIL_CHANGE_ENABLED) return
  const agreed = await issueFlowToken(trx, user, 'email_change_current', user.email, { method, proof })
  await post(trx, oldAddressLetter(user.email, { ...agreed, ...said }))
}

function appliesAtOnce({ isAnonymous }: User): boolean {
  return isAnonymous && env.MAILER_AUTOCONFIRM
}
