import type { CurrentUser } from '#app/account/session/current-user.ts'
import { accessTokenOf, clientOf } from '#app/auth/http/bearer.server.ts'
import { findDeletion } from '#app/account/deletion/deletion.server.ts'
import { remainsElsewhere } from '#app/account/deletion/deleted-account.server.ts'
import { offeredFactorTypes } from '#app/auth/mfa/offered.server.ts'
import { findHostedUser } from '#app/auth/hosted/hosted-user.server.ts'
import { projectSettings } from '#app/auth/hosted/project-settings.server.ts'
import { servesPasskeys } from '#app/auth/mfa/relying-party.server.ts'
import { leastLength } from '#app/auth/sessions/password.server.ts'
import { findUser, listIdentities } from '#app/auth/users/user.server.ts'
import { db } from '#app/platform/database/db.server.ts'
import { env, isHosted } from '#app/platform/env.server.ts'
import { providers } from '#app/auth/providers/provider-settings.server.ts'
import { stop } from '#app/platform/stop.ts'
import type { RequestContext } from '#app/platform/http/request-context.server.ts'
import type { OwnAccount } from './account.ts'

/** The account of the signed-in person. */
export async function findAccount(currentUser: CurrentUser, requestContext: RequestContext): Promise<OwnAccount> {
  return isHosted ? findHostedAccount(currentUser, requestContext) : findOwnAccount(currentUser)
}

async function findOwnAccount({ id, role, avatarUrl }: CurrentUser): Promise<OwnAccount> {
  const [user, identities, dueAt] = await Promise.all([findUser(id), listIdentities(db, id), findDeletion(id)])
  if (!user) stop('notFound', 'This account no longer exists.')
  const { userMetadata, newEmail, emailChangeSentAt, passwordHash, createdAt, email, phone } = user
  return {
    email: email ?? '',
    phone: phone ?? '',
    firstName: textOf(userMetadata['first_name']),
    lastName: textOf(userMetadata['last_name']),
    avatarUrl: avatarUrl ?? null,
    role,
    newEmail,
    newEmailSentAt: emailChangeSentAt?.toISOString() ?? null,
    hasPassword: passwordHash !== null,
    asksCurrentPassword: passwordHash !== null,
    leastPasswordLength: leastLength(role),
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
    deletionDueAt: dueAt?.toISOString() ?? null,
    remainsElsewhere,
    hasRecoveryCodes: true,
    secondSteps: offeredFactorTypes,
    hasPasskeys: servesPasskeys(),
  }
}

/** Merges the hosted service's data with ours. An identity of the service shows whether there is a password. */
async function findHostedAccount({ id, role, avatarUrl }: CurrentUser, requestContext: RequestContext): Promise<OwnAccount> {
  const asked = findHostedUser(accessTokenOf(requestContext), clientOf(requestContext))
  const [user, dueAt, settings] = await Promise.all([asked, findDeletion(id), projectSettings()])
  const identities = user.identities ?? []
  return {
    email: user.email ?? '',
    phone: user.phone ?? '',
    firstName: textOf(user.user_metadata['first_name']),
    lastName: textOf(user.user_metadata['last_name']),
    avatarUrl: avatarUrl ?? null,
    role,
    newEmail: user.new_email || null,
    newEmailSentAt: user.email_change_sent_at ?? null,
    hasPassword: identities.some(({ provider }) => provider === 'email' || provider === 'phone'),
    asksCurrentPassword: false,
    leastPasswordLength: leastLength(role),
    identities: identities.map((identity) => ({
      id: identity.identity_id,
      provider: identity.provider,
      email: identity.email || null,
      lastSignInAt: identity.last_sign_in_at ?? null,
      createdAt: identity.created_at,
    })),
    createdAt: user.created_at,
    deletionDueAt: dueAt?.toISOString() ?? null,
    mayConnect: false,
    connectable: [],
    remainsElsewhere,
    hasRecoveryCodes: false,
    secondSteps: offeredFactorTypes,
    hasPasskeys: settings.passkeys_enabled,
  }
}

/** User metadata can be anything. */
function textOf(value: unknown): string {
  return typeof value === 'string' ? value : ''
}
