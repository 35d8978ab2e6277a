import { sql } from 'kysely'
import { deletesElsewhere, forgetAccount, removeElsewhere } from '#app/auth/directory/hosted-removal.server.ts'
import { findHostedPrincipal } from '#app/auth/hosted/hosted-principal.server.ts'
import {
  changeHostedAddress,
  confirmHosted,
  recoverHosted,
  requestHostedEmail,
  signInHosted,
  signInHostedByCode,
  signInHostedByLink,
  signOutHosted,
  signUpHosted,
} from '#app/auth/hosted/hosted-sign-in.server.ts'
import {
  answerHostedFactor,
  callHostedFactor,
  changeHostedProfile,
  findHostedPasskeys,
  findHostedUser,
} from '#app/auth/hosted/hosted-user.server.ts'
import { projectSettings } from '#app/auth/hosted/project-settings.server.ts'
import { isProjectToken } from '#app/auth/hosted/project-token.server.ts'
import { accessTokenOf, clientOf } from '#app/auth/http/bearer.server.ts'
import { servedProviders } from '#app/auth/providers/served-providers.ts'
import { leastLength } from '#app/auth/sessions/password.server.ts'
import { revokeKeys } from '#app/auth/users/user-keys.server.ts'
import { db, transaction } from '#app/platform/database/db.server.ts'
import { env } from '#app/platform/env.server.ts'
import type { RequestContext } from '#app/platform/http/request-context.server.ts'
import { stop } from '#app/platform/errors/stop.ts'
import type { AccountKind, ExportPart, StoredProfile } from './account-kind.server.ts'
import { toOwnFactor, toOwnPasskey } from './settings/own-keys.server.ts'

/** Accounts at a hosted service. It reveals nothing about a link before its use, and it sends its own emails. */
export const hostedAccounts: AccountKind = {
  signIn: signInHosted,
  signUp: signUpHosted,
  isClosed: async () => (await projectSettings()).disable_signup,
  // The project's requirements also apply to requests from the server.
  asksCaptcha: false,
  sendLetter: requestHostedEmail,
  async providers() {
    const { external } = await projectSettings()
    return servedProviders.filter((name) => external[name])
  },
  hasPasskeys: async () => (await projectSettings()).passkeys_enabled,
  findUse: async (link) => (link === '' ? undefined : { asksPassword: false }),
  signInByCode: signInHostedByCode,
  signInByLink: signInHostedByLink,
  changeAddress: changeHostedAddress,
  // Its links name no sign-up, so they never sign in.
  confirm: async (link, client) => ((await confirmHosted(link, client)) ? {} : undefined),
  recover: recoverHosted,
  findRecovery: async (link) =>
    link === ''
      ? undefined
      : { email: undefined, leastLength: leastLength('customer'), isFirst: false, isSignUp: false, asksName: false, keys: 0 },
  isInboxFor: () => false,

  findPrincipal: findHostedPrincipal,
  isGenuine: isProjectToken,
  findSession: async () => stop('notFound', 'A hosted auth service manages this account.'),
  signOut: signOutHosted,
  async endEverySession({ id }, revokesKeys) {
    if (revokesKeys) await transaction((trx) => revokeKeys(trx, id, { id }))
    return false
  },

  // The service has no way to list its factor types, so its operator repeats them in these settings. It sends the messages itself.
  offeredFactorTypes: {
    totp: env.MFA_TOTP_ENROLL_ENABLED && env.MFA_TOTP_VERIFY_ENABLED,
    phone: env.MFA_PHONE_ENROLL_ENABLED && env.MFA_PHONE_VERIFY_ENABLED,
    // Keys are bound to this site's domain, which the service does not know.
    key: false,
    pauseSeconds: env.SMS_MAX_FREQUENCY,
  },
  async listFactors(_of, requestContext) {
    const { factors } = await userOf(requestContext)
    const usable = (factors ?? []).filter(({ status, factor_type: type }) => status === 'verified' && knownTypes.has(type))
    return usable.map(({ id, friendly_name: name, factor_type: type, phone }) => ({ id, name, type, phone }))
  },
  beginChallenge: (_of, factorId, requestContext) => callHostedFactor(accessTokenOf(requestContext), factorId, clientOf(requestContext)),
  answerChallenge: (_of, answer, requestContext) => answerHostedFactor(accessTokenOf(requestContext), answer, clientOf(requestContext)),
  hasRecoveryCodes: false,
  answerByRecoveryCode: async () => stop('unprocessable', 'There are no recovery codes for this account.'),

  findProfile,
  async listOwnFactors(_of, requestContext) {
    const verified = ((await userOf(requestContext)).factors ?? []).filter(({ status }) => status === 'verified')
    return verified.map(({ id, friendly_name: name, factor_type: type, phone, created_at: createdAt }) =>
      toOwnFactor({ id, name, type, phone, createdAt }),
    )
  },
  async listOwnPasskeys(_of, requestContext) {
    const passkeys = await findHostedPasskeys(accessTokenOf(requestContext), clientOf(requestContext))
    return passkeys.map(({ id, friendly_name: name, created_at: createdAt, last_used_at: lastUsedAt, backed_up: isSynced }) =>
      toOwnPasskey({ id, name, createdAt, lastUsedAt: lastUsedAt ?? null, isSynced: isSynced ?? false }),
    )
  },
  async changePicture(_id, url, save, requestContext) {
    await changeHostedProfile(accessTokenOf(requestContext), { avatar_url: url }, clientOf(requestContext))
    await transaction(save)
  },
  exportAccount,

  async lock(trx, id) {
    const open = trx.selectFrom('hostedAccounts').select(['id', 'email']).where('id', '=', id).where('deletedAt', 'is', null)
    const account = await open.forUpdate().executeTakeFirst()
    return account && { ...account, phone: null }
  },
  findPhone: async ({ email }, requestContext) => (email ? undefined : ((await userOf(requestContext)).phone ?? undefined)),
  async remove(trx, id) {
    await forgetAccount(trx, id, {})
    await removeElsewhere(trx, id)
  },
  remainsElsewhere: !deletesElsewhere,
}

const knownTypes = new Set(['totp', 'phone', 'webauthn'])

const userOf = (requestContext: RequestContext) => findHostedUser(accessTokenOf(requestContext), clientOf(requestContext))

/** An identity of the service shows whether there is a password. */
async function findProfile(_id: string, requestContext: RequestContext): Promise<StoredProfile> {
  const user = await userOf(requestContext)
  const identities = user.identities ?? []
  return {
    email: user.email ?? '',
    phone: user.phone ?? '',
    userMetadata: user.user_metadata,
    newEmail: user.new_email || null,
    newEmailSentAt: user.email_change_sent_at ?? null,
    hasPassword: identities.some(({ provider }) => provider === 'email' || provider === 'phone'),
    asksCurrentPassword: false,
    identities: identities.map((identity) => ({
      id: identity.identity_id,
      provider: identity.provider,
      email: identity.email || null,
      lastSignInAt: identity.last_sign_in_at ?? null,
      createdAt: identity.created_at,
    })),
    createdAt: user.created_at,
    mayConnect: false,
    connectable: [],
  }
}

/** Our own data about the account. The service exports the rest. */
async function exportAccount(userId: string) {
  const profile = await db.selectFrom('hostedAccounts').selectAll().where('id', '=', userId).executeTakeFirst()
  const parts: ExportPart[] = [['sessions', sql`SELECT * FROM hosted_sessions WHERE account_id = ${userId}`]]
  return profile && { profile, parts }
}
