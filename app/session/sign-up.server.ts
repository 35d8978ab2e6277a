import { post } from '#app/mail/outbox.server.ts'
import { transaction, type Trx } from '#app/platform/db.server.ts'
import { env } from '#app/platform/env.server.ts'
import { audit } from '#app/identity/audit.server.ts'
import type { Client } from './client.ts'
import { confirmAddressLetter } from '#app/identity/confirm-address.email.tsx'
import { existingAccountLetter } from '#app/identity/existing-account.email.tsx'
import { hashPassword } from '#app/identity/hashing.server.ts'
import { spendLetter } from '#app/identity/mail-budget.server.ts'
import { issueToken } from '#app/identity/one-time-token.server.ts'
import { claimOwnership } from '#app/identity/owner.server.ts'
import { checkNewPassword, isShortForStaff } from '#app/identity/password.server.ts'
import { refuse } from '#app/identity/refusal.ts'
import { type OpenSession, startSession } from './session.server.ts'
import { createUser, findUserByEmail, type Known, type Metadata, type NewUser, pretendUser } from '#app/identity/user.server.ts'

/** `target` is where the link of the letter may lead to in the end. */
export type SignUp = { email: string; password: string; data: Metadata; target?: string | undefined }
/** Without a session, the address has to be confirmed first. */
export type SignedUp = { session: OpenSession } | (Known & { session?: never })

/**
 * Makes an account and sends the letter that confirms it. For an address that has an account the answer looks the same and costs the
 * same; its owner gets a letter that says so.
 */
export async function signUp({ email, password, data, target }: SignUp, client: Client): Promise<SignedUp> {
  if (env.DISABLE_SIGNUP) refuse('signup_disabled')
  await checkNewPassword(password, 'customer')
  if (!env.MAILER_AUTOCONFIRM) await spendLetter('confirmation', email)
  const passwordHash = await hashPassword(password)
  const wanted = { email, passwordHash, passwordShort: isShortForStaff(password), data, confirmed: env.MAILER_AUTOCONFIRM }
  return transaction((trx) => (wanted.confirmed ? enterAtOnce(trx, wanted, client) : askToConfirm(trx, wanted, target)))
}

async function enterAtOnce(trx: Trx, wanted: NewUser, client: Client): Promise<SignedUp> {
  const { user } = (await createUser(trx, wanted)) ?? refuse('user_already_exists')
  await audit(trx, 'user_signedup', { actorId: user.id, subjectId: user.id })
  await claimOwnership(trx, user)
  return { session: await startSession(trx, user, 'password', client) }
}

/** Each of the three ways is the same number of statements. */
async function askToConfirm(trx: Trx, wanted: NewUser, target: string | undefined): Promise<SignedUp> {
  const { email, data } = wanted
  const created = await createUser(trx, wanted)
  if (created) {
    const { id } = created.user
    await audit(trx, 'user_signedup', { actorId: id, subjectId: id })
    await post(trx, await letterTo(trx, id, email, target))
    return created
  }
  const known = await findUserByEmail(trx, email)
  if (known?.emailConfirmedAt) {
    await audit(trx, 'user_repeated_signup', { subjectId: known.id })
    await post(trx, existingAccountLetter(email, await issueToken(trx, known.id, 'recovery', email)))
  } else if (known) {
    await audit(trx, 'user_confirmation_requested', { subjectId: known.id })
    await post(trx, await letterTo(trx, known.id, email, target))
  }
  return pretendUser(email, data)
}

async function letterTo(trx: Trx, userId: string, email: string, target: string | undefined) {
  const secrets = await issueToken(trx, userId, 'confirmation', email)
  return confirmAddressLetter(email, { ...secrets, ...(target && { target }) })
}
