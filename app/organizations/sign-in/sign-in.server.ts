import type { z } from 'zod/mini'
import { accounts } from '#app/account/accounts.server.ts'
import type { CurrentUser } from '#app/account/session/current-user.ts'
import { providerName } from '#app/auth/protocol/provider-name.ts'
import { audit, by } from '#app/auth/users/audit.server.ts'
import type { Membership } from '#app/organizations/organization/membership.server.ts'
import { lockOrganization } from '#app/organizations/organization/organization.server.ts'
import { stop } from '#app/platform/errors/stop.ts'
import { transaction } from '#app/platform/database/db.server.ts'
import { now } from '#app/platform/database/sql.server.ts'
import type { signInBody, signInRule } from './sign-in.ts'

export async function findSignInRule({ signInProvider }: Pick<Membership, 'signInProvider'>): Promise<z.infer<typeof signInRule>> {
  return { provider: signInProvider, choices: await accounts.providers() }
}

type Setting = { organization: Pick<Membership, 'id' | 'isOnBehalf'>; actor: { id: string; address: string }; user: CurrentUser }

/** Sets the only provider with which members may sign in. Admins must have signed in with it, because they would lock themselves out. */
export async function setSignInProvider({ organization, actor, user }: Setting, { provider }: z.infer<typeof signInBody>): Promise<void> {
  if (provider && !(await accounts.providers()).includes(provider)) {
    const sentence = 'This installation does not serve this provider'
    stop('unprocessable', `${sentence}.`, { errors: { provider: sentence } })
  }
  if (provider && !organization.isOnBehalf && user.signInProvider !== provider) {
    const name = providerName(provider)
    stop('conflict', `You would lose access: sign in with ${name} yourself first, then choose it here.`, { code: 'sign_in_provider' })
  }
  await transaction(async (trx) => {
    const row = await lockOrganization(trx, organization.id)
    if (!row || row.state === 'closed') stop('notFound', 'There is no such organization.')
    if (row.isPersonal)
      stop('conflict', 'This is a setting of your account, not of a personal organization.', { code: 'personal_organization' })
    if (row.signInProvider === provider) return
    await trx.updateTable('organizations').set({ signInProvider: provider, updatedAt: now }).where('id', '=', row.id).execute()
    await audit(trx, 'organization_sign_in_set', { ...by(actor), subjectId: row.id, detail: { provider: provider || 'any' } })
  })
}
