import { sql } from 'kysely'
import { isInboxFor } from '#app/mail/inbox.server.ts'
import { removeUser } from '#app/auth/directory/remove-user.server.ts'
import { clientOf } from '#app/auth/http/bearer.server.ts'
import { answerChallenge, beginChallenge } from '#app/auth/mfa/challenge.server.ts'
import { listPasskeys } from '#app/auth/mfa/key.server.ts'
import { useRecoveryCode } from '#app/auth/mfa/recovery-code.server.ts'
import { servesKeyFactors, servesPasskeys } from '#app/auth/mfa/relying-party.server.ts'
import { providers } from '#app/auth/providers/provider-settings.server.ts'
import { checkAccessToken, isOwnToken } from '#app/auth/sessions/jwt.server.ts'
import { findRefreshToken } from '#app/auth/sessions/refresh-token.server.ts'
import { toSessionAnswer } from '#app/auth/sessions/session-response.server.ts'
import { endSession, endSessions, findSession, type OpenSession } from '#app/auth/sessions/session.server.ts'
import { signIn } from '#app/auth/sessions/sign-in.server.ts'
import { listFactors, type SessionUser } from '#app/auth/sessions/user-factors.server.ts'
import { noteSignUpSource } from '#app/auth/users/sign-up-source.server.ts'
import { findUser, listIdentities, lockIfThere, updateProfile } from '#app/auth/users/user.server.ts'
import { requestAccountEmail } from '#app/auth/verification/account-email.server.ts'
import { findRecovery, recoverPassword } from '#app/auth/verification/recovery.server.ts'
import { signUp } from '#app/auth/verification/sign-up.server.ts'
import { confirmByLink, confirmSignUp, findUse, linkForCode, verifyCode, verifyLink } from '#app/auth/verification/verification.server.ts'
import { canSendMessages } from '#app/mail/sender.server.ts'
import { db, transaction } from '#app/platform/database/db.server.ts'
import { env } from '#app/platform/env.server.ts'
import type { SessionTokens } from '#app/platform/http/session-cookie.server.ts'
import { stop } from '#app/platform/errors/stop.ts'
import type { AccountKind, ExportPart, SessionCookies, SessionId, StoredProfile } from './account-kind.server.ts'
import { findEmbeddedPrincipal } from './session/embedded-principal.server.ts'
import { toOwnFactor, toOwnPasskey } from './settings/own-keys.server.ts'

/** Accounts in our own database. */
export const embeddedAccounts: AccountKind = {
  signIn: async (email, password, client) => tokensOf(await signIn({ email }, password, client)),
  async signUp(wanted, source, client) {
    const { session } = await signUp(wanted, client)
    await noteSignUpSource(wanted.email, source)
    return session && tokensOf(session)
  },
  isClosed: async () => env.DISABLE_SIGNUP,
  asksCaptcha: env.SECURITY_CAPTCHA_ENABLED,
  sendLetter: (kind, email, { address, signUpBrowser }, cameFrom) =>
    requestAccountEmail({ kind, email, browser: signUpBrowser, ...(cameFrom && { cameFrom }) }, { address }),
  providers: async () => [...providers.keys()],
  hasPasskeys: async () => servesPasskeys(),
  findUse,
  async signInByCode(email, code, client) {
    const verified = await verifyCode('email', email, code, client)
    const link = 'asksPassword' in verified && (await linkForCode(email, code, client))
    if (link) return { asksPassword: link }
    return 'session' in verified ? tokensOf(verified.session) : undefined
  },
  async signInByLink(link, client) {
    const verified = await verifyLink('email', link, client)
    if ('asksPassword' in verified) return { asksPassword: link }
    return 'session' in verified ? tokensOf(verified.session) : undefined
  },
  changeAddress: (link, client) => confirmByLink(link, client, 'email_change'),
  async confirm(link, client, here) {
    const confirmed = await confirmSignUp(link, client, here)
    if (confirmed === 'asksPassword') return { asksPassword: link }
    if (!confirmed?.session) return confirmed && { userId: confirmed.userId, email: confirmed.email }
    return { tokens: await tokensOf(confirmed.session) }
  },
  recover: recoverPassword,
  findRecovery,
  isInboxFor,

  findPrincipal: findEmbeddedPrincipal,
  isGenuine: isOwnToken,
  findSession: (of) => sessionOf(of, 'Please sign in first.'),
  async signOut(cookies) {
    const sessionId = await findSessionId(cookies)
    if (sessionId) await endSession(sessionId)
  },
  async endEverySession(of, revokesKeys) {
    await endSessions(await sessionOf(of, 'Please sign in first.'), 'global', { revokesKeys })
    return true
  },

  offeredFactorTypes: {
    totp: env.MFA_TOTP_ENROLL_ENABLED && env.MFA_TOTP_VERIFY_ENABLED,
    phone: env.MFA_PHONE_ENROLL_ENABLED && env.MFA_PHONE_VERIFY_ENABLED && canSendMessages,
    key: servesKeyFactors().enrol && servesKeyFactors().verify,
    pauseSeconds: env.SMS_MAX_FREQUENCY,
  },
  async listFactors({ id: userId }) {
    const usable = (await listFactors(db, userId)).filter(({ status, factorType }) => status === 'verified' && isServed(factorType))
    return usable.map(({ id, friendlyName: name, factorType: type, phone }) => ({ id, name, type, phone }))
  },
  async beginChallenge(of, factorId, requestContext) {
    return (await beginChallenge(await sessionOf(of), { factorId, address: clientOf(requestContext).address })).id
  },
  async answerChallenge(of, answer, requestContext) {
    return tokensOf(await answerChallenge(await sessionOf(of), { ...answer, address: clientOf(requestContext).address }))
  },
  hasRecoveryCodes: true,
  answerByRecoveryCode: async (of, code) => tokensOf(await useRecoveryCode(await sessionOf(of), code)),

  findProfile,
  async listOwnFactors({ id: userId }) {
    const verified = (await listFactors(db, userId)).filter(({ status }) => status === 'verified')
    return verified.map(({ id, friendlyName: name, factorType: type, phone, createdAt }) =>
      toOwnFactor({ id, name, type, phone, createdAt: createdAt.toISOString() }),
    )
  },
  async listOwnPasskeys({ id: userId }) {
    return (await listPasskeys(db, userId)).map(({ id, friendlyName: name, createdAt, lastUsedAt, backedUp: isSynced }) =>
      toOwnPasskey({ id, name, createdAt: createdAt.toISOString(), lastUsedAt: lastUsedAt?.toISOString() ?? null, isSynced }),
    )
  },
  async changePicture(id, url, save) {
    await transaction(async (trx) => {
      // Merges into the current row: two changes of one profile run in turn.
      const user = (await lockIfThere(trx, id)) ?? stop('notFound', 'This account no longer exists.')
      await updateProfile(trx, user, { avatar_url: url })
      await save(trx)
    })
  },
  exportAccount,

  lock: lockIfThere,
  findPhone: async () => undefined,
  remove: (trx, id) => removeUser(trx, { id }, {}),
  remainsElsewhere: false,
}

async function tokensOf(session: OpenSession): Promise<SessionTokens> {
  const { access_token: access, refresh_token: refresh } = await toSessionAnswer(session)
  return { access, refresh }
}

async function sessionOf({ id, sessionId }: SessionId, refusal = 'You are signed out. Please sign in again.'): Promise<SessionUser> {
  const { user, session } = await findSession({ userId: id, sessionId })
  return user && session ? { user, session } : stop('notSignedIn', refusal)
}

async function findSessionId({ access = '', refresh }: SessionCookies): Promise<string | undefined> {
  const checked = await checkAccessToken(access)
  if (checked.state !== 'invalid') return checked.claims.sessionId
  return refresh ? (await findRefreshToken(db, refresh))?.sessionId : undefined
}

function isServed(factorType: string): boolean {
  if (factorType === 'phone') return env.MFA_PHONE_VERIFY_ENABLED
  if (factorType === 'webauthn') return servesKeyFactors().verify
  return factorType === 'totp' && env.MFA_TOTP_VERIFY_ENABLED
}

async function findProfile(id: string): Promise<StoredProfile> {
  const [user, identities] = await Promise.all([findUser(id), listIdentities(db, id)])
  if (!user) stop('notFound', 'This account no longer exists.')
  const { userMetadata, newEmail, emailChangeSentAt, passwordHash, createdAt, email, phone } = user
  return {
    email: email ?? '',
    phone: phone ?? '',
    userMetadata,
    newEmail,
    newEmailSentAt: emailChangeSentAt?.toISOString() ?? null,
    hasPassword: passwordHash !== null,
    asksCurrentPassword: passwordHash !== null,
    identities: identities.map((identity) => ({
      id: identity.id,
      provider: identity.provider,
      email: identity.email,
      lastSignInAt: identity.lastSignInAt?.toISOString() ?? null,
      createdAt: identity.createdAt.toISOString(),
    })),
    createdAt: createdAt.toISOString(),
    mayConnect: env.SECURITY_MANUAL_LINKING_ENABLED,
    connectable: env.SECURITY_MANUAL_LINKING_ENABLED
      ? [...providers.keys()].filter((provider) => !identities.some((identity) => identity.provider === provider))
      : [],
  }
}

async function exportAccount(userId: string) {
  const user = await db.selectFrom('users').selectAll().where('id', '=', userId).executeTakeFirst()
  if (!user) return undefined
  const { passwordHash, passwordShort: _short, ...profile } = user
  const deletion = await db.selectFrom('accountDeletions').select(['dueAt', 'createdAt']).where('userId', '=', userId).executeTakeFirst()
  const factor = sql`id, factor_type, status, friendly_name, phone, last_challenged_at, created_at, updated_at`
  const passkey = sql`id, friendly_name, transports, backed_up, last_used_at, created_at, updated_at`
  const parts: ExportPart[] = [
    ['identities', sql`SELECT * FROM identities WHERE user_id = ${userId}`],
    ['sessions', sql`SELECT * FROM sessions WHERE user_id = ${userId}`],
    ['secondFactors', sql`SELECT ${factor} FROM mfa_factors WHERE user_id = ${userId}`],
    ['passkeys', sql`SELECT ${passkey} FROM webauthn_credentials WHERE user_id = ${userId} AND factor_id IS NULL`],
    ['recoveryCodes', sql`SELECT id, used_at, created_at FROM recovery_codes WHERE user_id = ${userId}`],
  ]
  return { profile: { ...profile, hasPassword: passwordHash !== null }, deletion: deletion ?? null, parts }
}
