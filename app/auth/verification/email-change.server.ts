import { type EmailRequester, spendOwnEmail } from '#app/auth/tokens/mail-budget.server.ts'
import { findUserByEmail, type User } from '#app/auth/users/user.server.ts'
import { enqueueEmail } from '#app/mail/outbox.server.ts'
import type { Trx } from '#app/platform/database/db.server.ts'
import { env } from '#app/platform/env.server.ts'
import type { FlowProof } from '#app/auth/sessions/flow-state.server.ts'
import { beginEmailChange } from './address.server.ts'
import { addressInUseEmail } from './address-in-use.email.tsx'
import { newAddressEmail, oldAddressEmail } from './email-change.email.tsx'
import { issueFlowToken } from './flow-token.server.ts'

/** `target`: final redirect of the links. `proof`: PKCE challenge of a flow. */
export type EmailChangeOptions = { target?: string | undefined; proof?: FlowProof | undefined }

/** Counts the emails of a requested change, for the address and for the user. */
export async function spendEmailChange(user: User, email: string, from: EmailRequester): Promise<void> {
  if (appliesAtOnce(user)) return
  await spendOwnEmail('email_change', `by ${user.id}`, from)
  await spendOwnEmail('email_change', email, from)
}

/** Stores the new address until the user confirms it by email. An anonymous account with auto-confirm gets it immediately. */
export async function requestEmailChange(trx: Trx, user: User, email: string, manner: EmailChangeOptions): Promise<void> {
  if (appliesAtOnce(user)) return beginEmailChange(trx, user, email, { isAssumed: true })
  const wanted = await trx
    .updateTable('users')
    .set({ newEmail: email, updatedAt: new Date() })
    .where('id', '=', user.id)
    .returningAll()
    .executeTakeFirstOrThrow()
  return postEmailChange(trx, wanted, manner)
}

/** Not an address, so no typed code can match it. */
const UNREACHABLE = 'in-use'

/**
 * Sends the emails of a requested change to the new address and, for safety, to the old one. Their tokens replace earlier ones. If the new
 * address is in use, its owner gets a notice instead. The work is the same, so the requesting account does not learn of it.
 */
export async function postEmailChange(trx: Trx, user: User, { target, proof }: EmailChangeOptions): Promise<void> {
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
  await enqueueEmail(trx, holder ? addressInUseEmail(newEmail, {}) : newAddressEmail(newEmail, { ...secrets, ...said }))
  if (!user.email || !env.MAILER_SECURE_EMAIL_CHANGE_ENABLED) return
  const agreed = await issueFlowToken(trx, user, 'email_change_current', user.email, { method, proof })
  await enqueueEmail(trx, oldAddressEmail(user.email, { ...agreed, ...said }))
}

function appliesAtOnce({ isAnonymous }: User): boolean {
  return isAnonymous && env.MAILER_AUTOCONFIRM
}
