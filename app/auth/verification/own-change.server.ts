import { takeAddress } from '#app/auth/users/address-taken.server.ts'
import { checkNewPassword } from '#app/auth/sessions/password.server.ts'
import { refuse } from '#app/auth/protocol/refusal.ts'
import { roleOf } from '#app/auth/users/role.ts'
import { lockUser, type Metadata, updateProfile, type User } from '#app/auth/users/user.server.ts'
import { db, type Trx } from '#app/platform/database/db.server.ts'
import { env } from '#app/platform/env.server.ts'
import type { Client } from '#app/auth/sessions/client.ts'
import { requireFreshSignIn } from '#app/auth/sessions/fresh-sign-in.server.ts'
import { keepNewPassword, prepareNewPassword } from '#app/auth/sessions/new-password.server.ts'
import { isNoSession, type Session } from '#app/auth/sessions/session.server.ts'
import { hasVerifiedFactor } from '#app/auth/sessions/user-factors.server.ts'
import { type EmailRequester, spendNewPhoneMessage } from '#app/auth/tokens/mail-budget.server.ts'
import { isPassword } from '#app/auth/sessions/hashing.server.ts'
import { guardGuess } from '#app/auth/sessions/sign-in.server.ts'
import { type EmailChangeOptions, requestEmailChange, spendEmailChange } from './email-change.server.ts'
import { preparePhoneCode, type ReadyCode, sendOrRefuse } from './phone-code.server.ts'
import { changePhone } from './address.server.ts'
import { noteFailedProof } from './failed-proof.server.ts'
import { findNonce } from './typed-code.server.ts'

type Signed = { user: User; session: Session }

/** Changes to one's own account. Omitted fields stay. */
export type OwnChange = PasswordProof &
  EmailChangeOptions & {
    email?: string | undefined
    phone?: string | undefined
    channel?: 'sms' | 'whatsapp' | undefined
    password?: string | undefined
    /** With a new password. By default, keys are revoked if the session began with an email or message, as in a recovery. */
    revokesKeys?: boolean | undefined
    data: Metadata
  }

/** Makes all changes or, if one is refused, none. New addresses take effect once they are proven. */
export async function changeOwnAccount({ user, session }: Signed, asked: OwnChange, client: Client): Promise<void> {
  const { password, data } = asked
  const email = asked.email === user.email?.toLowerCase() ? undefined : asked.email
  const phone = asked.phone === user.phone ? undefined : asked.phone
  if (password) await checkNewPassword(password, roleOf(user.appMetadata), user, { email, phone, userMetadata: data })
  const changesProfile = Object.keys(data).length > 0
  if ((password || email || phone) && session.aal === 'aal1') await refuseLowSession(user)
  if (password && user.isAnonymous && !email && !phone) {
    refuse('validation_failed', {
      kind: 'unprocessable',
      sentence: 'Updating password of an anonymous user without an email or phone is not allowed',
    })
  }
  if (email || phone) await requireFreshSignIn(db, session)
  if (phone && !env.EXTERNAL_PHONE_ENABLED) refuse('phone_provider_disabled', { kind: 'unprocessable' })
  if (password) await allowNewPassword(user, session, asked, client)
  const fresh = password ? await prepareNewPassword(user, password) : undefined
  // Last, so that a change refused for another reason does not count against the email limit.
  if (email) await spendEmailChange(user, email, client)
  const undo = phone ? await spendPhoneChange(user, phone, client) : undefined
  const ready = await takeAddress(async (trx) => {
    // Merge into the current row: two changes of one account run one after the other.
    const current = await lockUser(trx, user.id)
    await refuseEnded(trx, session)
    if (fresh) {
      const byEmail = cameByEmail(session)
      await keepNewPassword(trx, current, fresh, { keepSession: session.id, revokesKeys: asked.revokesKeys ?? byEmail, byEmail })
    }
    if (changesProfile) await updateProfile(trx, current, data)
    if (email) await requestEmailChange(trx, await readAgain(trx, user), email, asked)
    return phone ? requestPhoneChange(trx, await readAgain(trx, user), phone) : undefined
  })
  if (ready) await sendOrRefuse(ready, { undo, channel: asked.channel })
}

/** Hashing is slow: the session may have ended meanwhile, for example by another password change. */
async function refuseEnded(trx: Trx, session: Session): Promise<void> {
  if (isNoSession(session)) return
  const held = await trx.selectFrom('sessions').select('id').where('id', '=', session.id).executeTakeFirst()
  if (!held) refuse('session_not_found')
}

async function refuseLowSession(user: User): Promise<void> {
  if (await hasVerifiedFactor(db, user.id)) refuse('insufficient_aal', { kind: 'notSignedIn' })
}

/** Includes the previous changes of this transaction. */
function readAgain(trx: Trx, { id }: User): Promise<User> {
  return trx.selectFrom('users').selectAll().where('id', '=', id).executeTakeFirstOrThrow()
}

/** Counts the message of a requested change. Returns an undo for a message that could not be sent. */
async function spendPhoneChange(user: User, phone: string, from: EmailRequester): Promise<() => Promise<void>> {
  return env.SMS_AUTOCONFIRM ? async () => undefined : spendNewPhoneMessage('phone_change', phone, user.id, from)
}

/**
 * Stores the new number and returns the message to it; with auto-confirm it takes effect immediately. A number in use gets the same
 * message: only its owner, with the code, learns that it is in use.
 */
async function requestPhoneChange(trx: Trx, user: User, phone: string): Promise<ReadyCode | undefined> {
  if (env.SMS_AUTOCONFIRM) {
    await changePhone(trx, user, phone, { isAssumed: true })
    return undefined
  }
  await trx.updateTable('users').set({ newPhone: phone, updatedAt: new Date() }).where('id', '=', user.id).execute()
  return preparePhoneCode(trx, user, 'phone_change', phone)
}

const DAY_MS = 24 * 3600 * 1000

type PasswordProof = { nonce?: string | undefined; currentPassword?: string | undefined }

/**
 * Refuses a new password without enough proof. One setting requires a code for sessions older than a day. Another requires the old
 * password for sessions that did not begin with an email or message. Sessions of our own pages always need the old password, or a recent
 * sign-in if there is none.
 */
async function allowNewPassword(user: User, session: Session, { nonce, currentPassword }: PasswordProof, client: Client): Promise<void> {
  if (env.SECURITY_UPDATE_PASSWORD_REQUIRE_REAUTHENTICATION && Date.now() - session.createdAt.getTime() > DAY_MS) {
    if (!nonce) refuse('reauthentication_needed')
    if (!(await findNonce(user, nonce, client))) {
      noteFailedProof(user, client)
      refuse('reauthentication_not_valid')
    }
  }
  const isAsked = session.ownPages || (env.SECURITY_UPDATE_PASSWORD_REQUIRE_CURRENT_PASSWORD && !cameByEmail(session))
  if (!isAsked || !user.passwordHash) return requireFreshSignIn(db, session)
  if (!currentPassword) refuse('current_password_required')
  const right = await guardGuess(user, client, () => isPassword(currentPassword, user.passwordHash))
  if (!right) refuse('current_password_invalid')
}

function cameByEmail({ amr }: Session): boolean {
  return amr.some(({ method }) => ['otp', 'recovery', 'magiclink'].includes(method))
}
