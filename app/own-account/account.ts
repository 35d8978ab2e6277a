import { z } from 'zod/mini'
import { role } from '#app/identity/role.ts'
import { servedProviders } from '#app/provider/served-providers.ts'

/** A way in which someone can sign in. */
export const ownIdentity = z.object({
  id: z.string(),
  provider: z.string(),
  email: z.nullable(z.string()),
  lastSignInAt: z.nullable(z.string()),
  createdAt: z.string(),
})

/** What people see of their own account. */
export const ownAccount = z.object({
  email: z.string(),
  phone: z.string(),
  firstName: z.string(),
  lastName: z.string(),
  avatarUrl: z.nullable(z.string()),
  role,
  /** An address that has been asked for and is not proven yet. */
  newEmail: z.nullable(z.string()),
  newEmailSentAt: z.nullable(z.string()),
  hasPassword: z.boolean(),
  /** A hosted service asks when it wants to. */
  asksCurrentPassword: z.boolean(),
  leastPasswordLength: z.int(),
  identities: z.array(ownIdentity),
  /** Services elsewhere that can be connected. Empty where connecting is switched off. */
  connectable: z.array(z.enum(servedProviders)),
  mayConnect: z.boolean(),
  createdAt: z.string(),
  deletionDueAt: z.nullable(z.string()),
  /** A hosted service keeps the account, and we cannot delete it from there. */
  remainsElsewhere: z.boolean(),
  /** Not where a hosted service keeps the account: only it could raise a session by one. */
  hasRecoveryCodes: z.boolean(),
  /** Second steps that can be set up here, and how many seconds lie between two messages to one phone. */
  secondSteps: z.object({ totp: z.boolean(), phone: z.boolean(), key: z.boolean(), pauseSeconds: z.int() }),
  /** Whether passkeys can be used here. */
  hasPasskeys: z.boolean(),
})

export type OwnAccount = z.infer<typeof ownAccount>

export const ownSession = z.object({
  id: z.string(),
  /** `Firefox on Windows`. */
  device: z.string(),
  address: z.nullable(z.string()),
  lastUsedAt: z.string(),
  createdAt: z.string(),
  isCurrent: z.boolean(),
})

export type OwnSession = z.infer<typeof ownSession>

/** How the API is asked for them; also what is asked for again once they have changed. */
export const ACCOUNT = '/api/account'
export const SESSIONS = '/api/account/sessions'
