import { audit } from '#app/identity/audit.server.ts'
import { hashPassword } from '#app/password/hashing.server.ts'
import { spendMessage } from '#app/account-letter/mail-budget.server.ts'
import { createUser, pretendUser } from '#app/identity/new-user.server.ts'
import { checkNewPassword, isShortForStaff } from '#app/password/password.server.ts'
import { refuse } from '#app/auth-protocol/refusal.ts'
import { findUserByPhone, type Metadata } from '#app/identity/user.server.ts'
import { transaction, type Trx } from '#app/platform/db.server.ts'
import { env } from '#app/platform/env.server.ts'
import type { Client } from '#app/session/client.ts'
import { startSession } from '#app/session/session.server.ts'
import type { SignedUp } from './sign-up.server.ts'
import { preparePhoneCode, type ReadyCode, requestCodeAgain, sendOrRefuse } from './phone-code.server.ts'

type Channel = 'sms' | 'whatsapp'
export type PhoneSignUp = { phone: string; password: string; data: Metadata; channel: Channel }

/**
 * Makes an account for a phone and sends the code that confirms it. A number that has one gets a code as well, with which its owner signs in; the
 * answer looks the same.
 */
export async function signUpByPhone({ phone, password, data, channel }: PhoneSignUp, client: Client): Promise<SignedUp> {
  if (env.DISABLE_SIGNUP) refuse('signup_disabled')
  if (!env.EXTERNAL_PHONE_ENABLED) refuse('phone_provider_disabled')
  await checkNewPassword(password, 'customer', { phone, userMetadata: data })
  if (!env.SMS_AUTOCONFIRM) await spendMessage('confirmation', phone)
  const passwordHash = await hashPassword(password)
  const wanted = { phone, brought: { passwordHash, passwordShort: isShortForStaff(password), data } }
  const { answer, ready } = await transaction((trx) => begin(trx, wanted, client))
  if (ready) await sendOrRefuse(ready, channel)
  return answer
}

type Wanted = { phone: string; brought: { passwordHash: string; passwordShort: boolean; data: Metadata } }
type Begun = { answer: SignedUp; ready?: ReadyCode }

const nothing = { passwordHash: null, passwordShort: false, data: {} }

async function begin(trx: Trx, { phone, brought }: Wanted, client: Client): Promise<Begun> {
  const confirmed = env.SMS_AUTOCONFIRM
  const created = await createUser(trx, confirmed ? { phone, ...brought, confirmed } : { phone, ...nothing, confirmed })
  if (created) {
    const { user } = created
    await audit(trx, 'user_signedup', { actorId: user.id, subjectId: user.id })
    if (confirmed) return { answer: { session: await startSession(trx, user, 'password', client, 'phone') } }
    return {
      answer: pretendUser({ phone }, brought.data, user),
      ready: await preparePhoneCode(trx, user, 'confirmation', phone, { brought }),
    }
  }
  const known = (await findUserByPhone(trx, phone)) ?? refuse('phone_exists')
  if (known.phoneConfirmedAt && (env.SMS_AUTOCONFIRM || env.MAILER_AUTOCONFIRM)) refuse('user_already_exists')
  await audit(trx, known.phoneConfirmedAt ? 'user_repeated_signup' : 'user_confirmation_requested', { subjectId: known.id })
  return {
    answer: pretendUser({ phone }, brought.data, known),
    ready: await preparePhoneCode(trx, known, 'confirmation', phone, { brought }),
  }
}

export type PhoneSignIn = { phone: string; mayCreate: boolean; data: Metadata; channel: Channel }

/**
 * Sends a code that signs in, and makes an account where there is none. A password that was set before the number was proven is dropped. Where
 * no account may be made, a job looks the number up, so the response does not tell whether it has one.
 */
export async function requestSignInCode({ phone, mayCreate, data, channel }: PhoneSignIn): Promise<void> {
  if (!env.EXTERNAL_PHONE_ENABLED) refuse('phone_provider_disabled')
  if (!mayCreate || env.DISABLE_SIGNUP) return requestCodeAgain('sign-in', phone)
  await spendMessage('confirmation', phone)
  const wanted = { phone, ...nothing, confirmed: env.SMS_AUTOCONFIRM }
  const ready = await transaction(async (trx) => {
    const created = await createUser(trx, wanted)
    // The same number of statements with and without an account.
    const user = created?.user ?? (await findUserByPhone(trx, phone))
    if (user)
      await audit(trx, created ? 'user_signedup' : 'user_recovery_requested', { ...(created && { actorId: user.id }), subjectId: user.id })
    return user && preparePhoneCode(trx, user, 'confirmation', phone, { token: 'address', brought: { data } })
  })
  if (ready) await sendOrRefuse(ready, channel)
}
