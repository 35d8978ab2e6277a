import { audit } from '#app/auth/users/audit.server.ts'
import { hashPassword } from '#app/auth/sessions/hashing.server.ts'
import { type EmailRequester, spendSignInMessage, spendStrangerMessage } from '#app/auth/tokens/mail-budget.server.ts'
import { createUser, pretendUser } from '#app/auth/users/new-user.server.ts'
import { checkNewPassword, isShortForStaff } from '#app/auth/sessions/password.server.ts'
import { refuse } from '#app/auth/protocol/refusal.ts'
import { notingLimit } from '#app/auth/users/refused.server.ts'
import { lockByPhone, type Metadata } from '#app/auth/users/user.server.ts'
import { transaction, type Trx } from '#app/platform/database/db.server.ts'
import { env } from '#app/platform/env.server.ts'
import type { Client } from '#app/auth/sessions/client.ts'
import { startSession } from '#app/auth/sessions/session.server.ts'
import type { SignedUp } from './sign-up.server.ts'
import { preparePhoneCode, type ReadyCode, enqueueCode, limitedMessage, requestCodeAgain, sendOrRefuse } from './phone-code.server.ts'

type Channel = 'sms' | 'whatsapp'
export type PhoneSignUp = { phone: string; password: string; data: Metadata; channel: Channel; captcha: EmailRequester['proof'] }

/**
 * Creates an account for a phone and sends the code that confirms it. A number with an account also gets a code, with which its owner can
 * sign in. The response looks the same.
 */
export async function signUpByPhone({ phone, password, data, channel, captcha }: PhoneSignUp, client: Client): Promise<SignedUp> {
  if (env.DISABLE_SIGNUP) refuse('signup_disabled')
  if (!env.EXTERNAL_PHONE_ENABLED) refuse('phone_provider_disabled')
  await checkNewPassword(password, 'customer', { phone, userMetadata: data })
  const from = { address: client.address, proof: captcha }
  const undo = env.SMS_AUTOCONFIRM
    ? undefined
    : await notingLimit(limitedMessage(phone, from), () => spendStrangerMessage('confirmation', phone, from))
  const passwordHash = await hashPassword(password)
  // Our pages sign nobody up by phone.
  const wanted = { phone, brought: { passwordHash, passwordShort: isShortForStaff(password), data, by: 'program' as const } }
  const { answer, ready } = await transaction((trx) => begin(trx, wanted, client))
  if (ready) await sendOrRefuse(ready, { undo, channel })
  return answer
}

type Wanted = { phone: string; brought: { passwordHash: string; passwordShort: boolean; data: Metadata; by: 'program' } }
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
  const known = (await lockByPhone(trx, phone)) ?? refuse('phone_exists')
  if (known.phoneConfirmedAt && (env.SMS_AUTOCONFIRM || env.MAILER_AUTOCONFIRM)) refuse('user_already_exists')
  await audit(trx, known.phoneConfirmedAt ? 'user_repeated_signup' : 'user_confirmation_requested', { subjectId: known.id })
  return {
    answer: pretendUser({ phone }, brought.data, known),
    ready: await preparePhoneCode(trx, known, 'confirmation', phone, { brought }),
  }
}

export type PhoneSignIn = { phone: string; mayCreate: boolean; data: Metadata; channel: Channel }

/**
 * Sends a code to sign in, and creates an account if there is none. A password from before the number was proven is dropped. If no account
 * may be created, or strangers have used up their share of messages, a job looks up the number. So the response does not show whether it
 * has an account.
 */
export async function requestSignInCode({ phone, mayCreate, data, channel }: PhoneSignIn, from: EmailRequester): Promise<void> {
  if (!env.EXTERNAL_PHONE_ENABLED) refuse('phone_provider_disabled')
  if (!mayCreate || env.DISABLE_SIGNUP) return requestCodeAgain('sign-in', phone, from)
  const { accepted, undo } = await notingLimit(limitedMessage(phone, from), () => spendSignInMessage(phone, from))
  if (accepted) return enqueueCode('sign-in', phone, accepted, channel)
  const wanted = { phone, ...nothing, confirmed: env.SMS_AUTOCONFIRM }
  const ready = await transaction(async (trx) => {
    const created = await createUser(trx, wanted)
    // Runs the same number of statements with and without an account.
    const user = created?.user ?? (await lockByPhone(trx, phone))
    if (user)
      await audit(trx, created ? 'user_signedup' : 'user_recovery_requested', { ...(created && { actorId: user.id }), subjectId: user.id })
    return user && preparePhoneCode(trx, user, 'confirmation', phone, { token: 'address', brought: { data } })
  })
  if (ready) await sendOrRefuse(ready, { undo, channel })
}
