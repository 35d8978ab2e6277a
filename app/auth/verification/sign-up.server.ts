import { audit } from '#app/auth/users/audit.server.ts'
import { confirmAddressEmail } from '#app/auth/tokens/confirm-address.email.tsx'
import { existingAccountEmail } from '#app/auth/tokens/existing-account.email.tsx'
import { hashPassword, signUpSalt } from '#app/auth/sessions/hashing.server.ts'
import { type EmailRequester, spendStrangerEmail } from '#app/auth/tokens/mail-budget.server.ts'
import { createUser, pretendUser, createAnonymousUser } from '#app/auth/users/new-user.server.ts'
import type { Brought } from '#app/auth/tokens/brought.server.ts'
import { checkNewPassword, isShortForStaff } from '#app/auth/sessions/password.server.ts'
import { refuse } from '#app/auth/protocol/refusal.ts'
import { findUserByEmail, lockByEmail, type Known, type Metadata, type User } from '#app/auth/users/user.server.ts'
import { enqueueEmail } from '#app/mail/outbox.server.ts'
import { db, newId, transaction, type Trx } from '#app/platform/database/db.server.ts'
import { env } from '#app/platform/env.server.ts'
import type { Client } from '#app/auth/sessions/client.ts'
import { browserOf } from '#app/auth/sessions/device.ts'
import { type OpenSession, startSession } from '#app/auth/sessions/session.server.ts'
import type { EmailChangeOptions } from './email-change.server.ts'
import { isFirstRequest, isMadeForPerson } from './first-request.server.ts'
import { issueFlowToken } from './flow-token.server.ts'

/** `target`: final redirect of the email's link. `proof`: PKCE challenge of a flow. */
export type SignUp = { email: string; password: string; data: Metadata; captcha?: EmailRequester['proof'] } & EmailChangeOptions
/** Without a session, the address has to be confirmed first. */
export type SignedUp = { session: OpenSession } | (Known & { session?: never })

/** `signUp`: the key of this sign-up, if its browser can show it later. */
type Wanted = { email: string; brought: Brought & { passwordHash: string }; signUp: string | undefined }

/**
 * Creates an account and sends the email that confirms it. Password and profile belong to that email: its confirmation sets them and voids
 * the emails of all other sign-ups. For an address with an account, the response and its cost are the same, and the owner gets a notice.
 */
export async function signUp({ email, password, data, captcha, ...manner }: SignUp, client: Client): Promise<SignedUp> {
  if (env.DISABLE_SIGNUP) refuse('signup_disabled')
  if (!env.EXTERNAL_EMAIL_ENABLED) refuse('email_provider_disabled', { kind: 'badRequest' })
  await checkNewPassword(password, 'customer', { email, userMetadata: data })
  if (!env.MAILER_AUTOCONFIRM) await spendStrangerEmail('confirmation', email, { address: client.address, proof: captcha })
  const known = await findUserByEmail(db, email)
  const passwordHash = await hashPassword(password, signUpSalt(email, known?.passwordHash))
  const isProtocol = (await isFirstRequest(email)) && !isMadeForPerson(known) && client.signUpBrowser === undefined
  const brought = {
    passwordHash,
    passwordShort: isShortForStaff(password),
    data,
    by: isProtocol ? ('program' as const) : ('page' as const),
    asked: askedBy(client),
  }
  return transaction((trx) =>
    (env.MAILER_AUTOCONFIRM ? enterAtOnce : askToConfirm)(trx, { email, brought, signUp: client.signUpBrowser }, manner, client),
  )
}

async function enterAtOnce(trx: Trx, wanted: Wanted, manner: EmailChangeOptions, client: Client): Promise<SignedUp> {
  const { email, brought } = wanted
  const created = await createUser(trx, { email, ...brought, confirmed: true })
  if (!created) return writeToKnown(trx, wanted, manner)
  const { user } = created
  await audit(trx, 'user_signedup', { actorId: user.id, subjectId: user.id })
  return { session: await startSession(trx, user, 'password', client) }
}

/** All three branches run the same number of statements. */
async function askToConfirm(trx: Trx, wanted: Wanted, manner: EmailChangeOptions): Promise<SignedUp> {
  const { email, brought } = wanted
  const created = await createUser(trx, { email, passwordHash: null, passwordShort: false, data: {}, confirmed: false })
  if (!created) return writeToKnown(trx, wanted, manner)
  const { user } = created
  await audit(trx, 'user_signedup', { actorId: user.id, subjectId: user.id })
  await postConfirmation(trx, user, wanted, manner)
  return pretendUser({ email }, brought.data, user)
}

/** The requester may be a stranger, so nothing about the account changes. */
async function writeToKnown(trx: Trx, wanted: Wanted, { target, proof }: EmailChangeOptions): Promise<SignedUp> {
  const { email, brought } = wanted
  const known = await lockByEmail(trx, email)
  if (known?.emailConfirmedAt) {
    if (env.MAILER_AUTOCONFIRM || env.SMS_AUTOCONFIRM) refuse('user_already_exists')
    await audit(trx, 'user_repeated_signup', { subjectId: known.id })
    // A separate token: a stranger must not void a recovery email that the owner has requested.
    const options = { method: 'recovery', proof, signUp: `existing ${newId()}`, hasCode: false, brought: onlyTyped(brought) } as const
    const { link } = await issueFlowToken(trx, known, 'recovery', email, options)
    await enqueueEmail(trx, existingAccountEmail(email, { link, ...(target !== undefined && { target }) }))
  } else if (known) {
    await audit(trx, 'user_confirmation_requested', { subjectId: known.id })
    await postConfirmation(trx, known, wanted, { target, proof })
  }
  return pretendUser({ email }, brought.data, known)
}

async function postConfirmation(trx: Trx, user: User, { email, brought, signUp }: Wanted, { target, proof }: EmailChangeOptions) {
  // An invitation is not replaced: a stranger could void it, and set their own password in an account with a role.
  const isInvited = user.invitedAt !== null
  const kind = isInvited ? 'address' : 'confirmation'
  const parcel = isInvited ? { brought: onlyTyped(brought) } : { brought, signUp }
  const secrets = await issueFlowToken(trx, user, kind, email, { method: 'email/signup', proof, ...parcel })
  const asked = isInvited ? undefined : brought.asked
  await enqueueEmail(trx, confirmAddressEmail(email, { ...secrets, ...asked, ...(target !== undefined && { target }), isBare: isInvited }))
}

/** A sign-up that can set nothing: the address has an account, or an invitation. */
const onlyTyped = ({ passwordHash: typedHash }: Wanted['brought']) => ({ typedHash })

/** Shown in the email, so that users recognize their own sign-up. */
function askedBy({ userAgent }: Client): NonNullable<Brought['asked']> {
  const device = browserOf(userAgent)
  return { at: new Date().toISOString(), ...(device && { device }) }
}

/** Signs in without an identity. A proven address later makes the account permanent. */
export async function signInAnonymously(data: Metadata, client: Client): Promise<OpenSession> {
  if (!env.EXTERNAL_ANONYMOUS_USERS_ENABLED) refuse('anonymous_provider_disabled')
  return transaction(async (trx) => {
    const user = await createAnonymousUser(trx, data)
    await audit(trx, 'user_signedup', { actorId: user.id, subjectId: user.id, detail: { anonymous: true } })
    return startSession(trx, user, 'anonymous', client)
  })
}
