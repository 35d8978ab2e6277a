import { audit } from '#app/identity/audit.server.ts'
import { confirmAddressLetter } from '#app/account-letter/confirm-address.email.tsx'
import { existingAccountLetter } from '#app/account-letter/existing-account.email.tsx'
import { hashPassword } from '#app/password/hashing.server.ts'
import { type Asker, spendStrangerLetter } from '#app/account-letter/mail-budget.server.ts'
import { createUser, pretendUser } from '#app/identity/new-user.server.ts'
import type { Brought } from '#app/one-time-token/brought.server.ts'
import { checkNewPassword, isShortForStaff } from '#app/password/password.server.ts'
import { refuse } from '#app/auth-protocol/refusal.ts'
import { findUserByEmail, type Known, type Metadata, type User } from '#app/identity/user.server.ts'
import { post } from '#app/mail/outbox.server.ts'
import { transaction, type Trx } from '#app/platform/db.server.ts'
import { env } from '#app/platform/env.server.ts'
import type { Client } from '#app/session/client.ts'
import { type OpenSession, startSession } from '#app/session/session.server.ts'
import type { Manner } from './email-change.server.ts'
import { issueFlowToken } from './flow-token.server.ts'

/** `target` is where the link of the email may lead to in the end, `proof` the key of a flow. */
export type SignUp = { email: string; password: string; data: Metadata; captcha?: Asker['proof'] } & Manner
/** Without a session, the address has to be confirmed first. */
export type SignedUp = { session: OpenSession } | (Known & { session?: never })

type Wanted = { email: string; brought: Brought }

/**
 * Makes an account and sends the email that confirms it. Password and profile travel with that email: they are installed when it is followed, and a
 * newer sign-up of the address makes it void. For an address that has an account the answer looks the same and costs the same; its owner gets an
 * email that says so.
 */
export async function signUp({ email, password, data, captcha, ...manner }: SignUp, client: Client): Promise<SignedUp> {
  if (env.DISABLE_SIGNUP) refuse('signup_disabled')
  if (!env.EXTERNAL_EMAIL_ENABLED) refuse('email_provider_disabled', { kind: 'badRequest' })
  await checkNewPassword(password, 'customer', { email, userMetadata: data })
  if (!env.MAILER_AUTOCONFIRM) await spendStrangerLetter('confirmation', email, { address: client.address, proof: captcha })
  const passwordHash = await hashPassword(password)
  const brought = { passwordHash, passwordShort: isShortForStaff(password), data, browser: client.signUpBrowser }
  return transaction((trx) => (env.MAILER_AUTOCONFIRM ? enterAtOnce : askToConfirm)(trx, { email, brought }, manner, client))
}

async function enterAtOnce(trx: Trx, wanted: Wanted, manner: Manner, client: Client): Promise<SignedUp> {
  const { email, brought } = wanted
  const created = await createUser(trx, { email, ...brought, confirmed: true })
  if (!created) return writeToKnown(trx, wanted, manner)
  const { user } = created
  await audit(trx, 'user_signedup', { actorId: user.id, subjectId: user.id })
  return { session: await startSession(trx, user, 'password', client) }
}

/** Each of the three ways is the same number of statements. */
async function askToConfirm(trx: Trx, wanted: Wanted, manner: Manner): Promise<SignedUp> {
  const { email, brought } = wanted
  const created = await createUser(trx, { email, passwordHash: null, passwordShort: false, data: {}, confirmed: false })
  if (!created) return writeToKnown(trx, wanted, manner)
  const { user } = created
  await audit(trx, 'user_signedup', { actorId: user.id, subjectId: user.id })
  await postConfirmation(trx, user, wanted, manner)
  return pretendUser({ email }, brought.data, user)
}

/** Nothing about the account changes, whoever asks. */
async function writeToKnown(trx: Trx, wanted: Wanted, { target, proof }: Manner): Promise<SignedUp> {
  const { email, brought } = wanted
  const known = await findUserByEmail(trx, email)
  if (known?.emailConfirmedAt) {
    if (env.MAILER_AUTOCONFIRM || env.SMS_AUTOCONFIRM) refuse('user_already_exists')
    await audit(trx, 'user_repeated_signup', { subjectId: known.id })
    const { link } = await issueFlowToken(trx, known, 'recovery', email, { method: 'recovery', proof })
    await post(trx, existingAccountLetter(email, { link, ...(target !== undefined && { target }) }))
  } else if (known) {
    await audit(trx, 'user_confirmation_requested', { subjectId: known.id })
    await postConfirmation(trx, known, wanted, { target, proof })
  }
  return pretendUser({ email }, brought.data, known)
}

async function postConfirmation(trx: Trx, user: User, { email, brought }: Wanted, { target, proof }: Manner) {
  // An invitation is not replaced: a stranger could void it, and bring their own password into an account with a role.
  const isInvited = user.invitedAt !== null
  const kind = isInvited ? 'address' : 'confirmation'
  const secrets = await issueFlowToken(trx, user, kind, email, { method: 'email/signup', proof, brought: isInvited ? undefined : brought })
  await post(trx, confirmAddressLetter(email, { ...secrets, ...(target !== undefined && { target }), isBare: isInvited }))
}
