import { isHosted } from '#app/platform/env.server.ts'
import type { AccountKind } from './account-kind.server.ts'
import { embeddedAccounts } from './embedded-accounts.server.ts'
import { hostedAccounts } from './hosted-accounts.server.ts'

/** People's own accounts, in our own database or at a hosted service. */
export const accounts: AccountKind = isHosted ? hostedAccounts : embeddedAccounts
