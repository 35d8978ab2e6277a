import { takeAddress } from '#app/identity/address-taken.server.ts'
import { checkNewPassword } from '#app/password/password.server.ts'
import { refuse } from '#app/auth-protocol/refusal.ts'
import { roleOf } from '#app/identity/role.ts'
import { lockUser, type Metadata, updateProfile, type User } from '#app/identity/user.server.ts'
import { db, type Trx } from '#app/platform/db.server.ts'
import { env } from '#app/platform/env.server.ts'
import type { Client } from '#app/session/client.ts'
import { requireFreshSignIn } from '#app/session/fresh-sign-in.server.ts'
import { keepNewPassword, prepareNewPassword } from '#app/session/new-password.server.ts'
import { isNoSession, type Session } from '#app/session/session.server.ts'
import { hasVerifiedFactor } from '#app/session/user-factors.server.ts'
import { type Manner, requestEmailChange, spendEmailChange } from './email-change.server.ts'
import { allowNewPassword, cameByLetter, type PasswordProof } from './password-change.server.ts'
import { requestPhoneChange, spendPhoneChange } from './phone-change.server.ts'
import { sendOrRefuse } from './phone-code.server.ts'

type Signed = { user: User; session: Session }

/** What someone wants to change of their own account; what is left out stays. */
export type OwnChange = PasswordProof &
  Manner & {
    email?: string | undefined
    phone?: string | undefined
    channel?: 'sms' | 'whatsapp' | undefined
    password?: string | undefined
    /** With a new password. Left out, keys are revoked where the session began with an email or message, as a recovery does. */
    revokesKeys?: boolean | undefined
    data: Metadata
  }

/** Changes one's own account: all of it, or nothing where a part is refused. New addresses take effect once they are proven. */
export async function changeOwnAccount({ user, session }: Signed, asked: OwnChange, client: Client): Promise<void> {
  const { password, data } = asked
  const email = asked.email === user.email?.toLowerCase() ? undefined : asked.email
  const phone = asked.phone === user.phone ? undefined : asked.phone
  if (password) await checkNewPassword(password, roleOf(user.appMetadata), user, { email, phone, userMetadata: data })
  const changesProfile = Object.keys(data).length > 0
  if ((password || email || phone || changesProfile) && session.aal === 'aal1') await refuseLowSession(user)
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
  // Last of all: what is refused for another reason costs no letter.
  if (email) await spendEmailChange(user, email, client)
  if (phone) await spendPhoneChange(user, phone)
  const ready = await takeAddress(async (trx) => {
    // What is merged is what stands there now: two changes of one account take turns.
    const current = await lockUser(trx, user.id)
    await refuseEnded(trx, session)
    if (fresh)
      await keepNewPassword(trx, current, fresh, { keepSession: session.id, revokesKeys: asked.revokesKeys ?? cameByLetter(session) })
    if (changesProfile) await updateProfile(trx, current, data)
    if (email) await requestEmailChange(trx, await readAgain(trx, user), email, asked)
    return phone ? requestPhoneChange(trx, await readAgain(trx, user), phone) : undefined
  })
  if (ready) await sendOrRefuse(ready, asked.channel)
}

/** Hashing takes a while, and longer while many wait for it: who has been signed out meanwhile, by a new password above all, changes nothing any more. */
async function refuseEnded(trx: Trx, session: Session): Promise<void> {
  if (isNoSession(session)) return
  const held = await trx.selectFrom('sessions').select('id').where('id', '=', session.id).executeTakeFirst()
  if (!held) refuse('session_not_found')
}

async function refuseLowSession(user: User): Promise<void> {
  if (await hasVerifiedFactor(db, user.id)) refuse('insufficient_aal', { kind: 'notSignedIn' })
}

/** As the changes before have left them. */
function readAgain(trx: Trx, { id }: User): Promise<User> {
  return trx.selectFrom('users').selectAll().where('id', '=', id).executeTakeFirstOrThrow()
}
