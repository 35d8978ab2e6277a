import { accounts } from '#app/account/accounts.server.ts'
import { findDeletion } from '#app/account/deletion/deletion.server.ts'
import type { CurrentUser } from '#app/account/session/current-user.ts'
import { findMadeBefore } from '#app/auth/users/made-before.server.ts'
import { leastLength } from '#app/auth/sessions/password.server.ts'
import type { RequestContext } from '#app/platform/http/request-context.server.ts'
import type { OwnAccount } from './account.ts'

/** The account of the signed-in person. */
export async function findAccount({ id, role, avatarUrl }: CurrentUser, requestContext: RequestContext): Promise<OwnAccount> {
  const [{ userMetadata, ...profile }, dueAt, hasPasskeys, madeBefore] = await Promise.all([
    accounts.findProfile(id, requestContext),
    findDeletion(id),
    accounts.hasPasskeys(),
    findMadeBefore(id),
  ])
  return {
    ...profile,
    firstName: textOf(userMetadata['first_name']),
    lastName: textOf(userMetadata['last_name']),
    avatarUrl: avatarUrl ?? null,
    role,
    leastPasswordLength: leastLength(role),
    deletionDueAt: dueAt?.toISOString() ?? null,
    remainsElsewhere: accounts.remainsElsewhere,
    hasRecoveryCodes: accounts.hasRecoveryCodes,
    secondSteps: accounts.offeredFactorTypes,
    hasPasskeys,
    madeBefore,
  }
}

/** User metadata can be anything. */
function textOf(value: unknown): string {
  return typeof value === 'string' ? value : ''
}
