import { z } from 'zod/mini'
import { role } from '#app/auth/users/role.ts'
import { servedProviders } from '#app/auth/providers/served-providers.ts'

/** A sign-in method. */
export const ownIdentity = z.object({
  id: z.string(),
  provider: z.string(),
  email: z.nullable(z.string()),
  lastSignInAt: z.nullable(z.string()),
  createdAt: z.string(),
})

/** A person's own account. */
export const ownAccount = z.object({
  email: z.string(),
  phone: z.string(),
  firstName: z.string(),
  lastName: z.string(),
  avatarUrl: z.nullable(z.string()),
  role,
  /** A requested address that is not confirmed yet. */
  newEmail: z.nullable(z.string()),
  newEmailSentAt: z.nullable(z.string()),
  hasPassword: z.boolean(),
  /** A hosted service decides itself when to ask. */
  asksCurrentPassword: z.boolean(),
  leastPasswordLength: z.int(),
  identities: z.array(ownIdentity),
  /** Providers that can be connected. Empty where connecting is disabled. */
  connectable: z.array(z.enum(servedProviders)),
  mayConnect: z.boolean(),
  createdAt: z.string(),
  deletionDueAt: z.nullable(z.string()),
  /** A hosted service stores the account, and we cannot delete it there. */
  remainsElsewhere: z.boolean(),
  /** False at a hosted service: only it could elevate a session by a code. */
  hasRecoveryCodes: z.boolean(),
  /** The second factors that can be set up here, and the seconds between two messages to one phone. */
  secondSteps: z.object({ totp: z.boolean(), phone: z.boolean(), key: z.boolean(), pauseSeconds: z.int() }),
  /** Whether passkeys are enabled. */
  hasPasskeys: z.boolean(),
  /** Accounts, keys and webhooks from before the last recovery, which another person may have made. */
  madeBefore: z.nullable(
    z.object({
      at: z.string(),
      invited: z.array(z.object({ id: z.string(), email: z.string() })),
      keys: z.array(z.object({ id: z.string(), name: z.string(), prefix: z.string() })),
      webhooks: z.array(z.object({ id: z.string(), label: z.string() })),
    }),
  ),
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

/** The signed-in person's passkey. `isSynced`: a service keeps a copy, so the person's other devices have it too. */
export const ownPasskey = z.object({
  id: z.string(),
  name: z.string(),
  createdAt: z.string(),
  lastUsedAt: z.nullable(z.string()),
  isSynced: z.boolean(),
})

export type OwnPasskey = z.infer<typeof ownPasskey>

/** The API paths; also the query keys to invalidate after a change. */
export const ACCOUNT = '/api/account'
export const SESSIONS = '/api/account/sessions'
export const PASSKEYS = '/api/account/passkeys'
