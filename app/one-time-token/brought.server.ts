import { z } from 'zod'
import { seal, unseal } from '#app/platform/keys.server.ts'
import type { Row } from '#db/tables.ts'

const PURPOSE = 'sign-up'

/** An account at another service that names an address without proving it. */
const identity = z.object({
  provider: z.string(),
  subject: z.string(),
  email: z.string().optional(),
  data: z.record(z.string(), z.unknown()),
})

export const brought = z.object({
  passwordHash: z.string().nullable().default(null),
  passwordShort: z.boolean().default(false),
  data: z.record(z.string(), z.unknown()).default({}),
  identity: identity.optional(),
  /** A hash of what only the browser of this sign-up can show. */
  browser: z.string().optional(),
})

/** What a sign-up sets for an address that nobody has proven yet. It belongs to the token of its own email or message, not to the account. */
export type Brought = z.infer<typeof brought>
export type BroughtIdentity = z.infer<typeof identity>

/** Bound to the link, so no other token of the account can open it. */
export function sealBrought(linkHash: Uint8Array, parcel: Partial<Brought>): Buffer {
  return seal(PURPOSE, contextOf(linkHash), JSON.stringify(parcel))
}

export function broughtBy({ linkHash, broughtSealed }: Pick<Row<'oneTimeTokens'>, 'linkHash' | 'broughtSealed'>): Brought | undefined {
  if (!broughtSealed) return undefined
  return brought.parse(JSON.parse(unseal(PURPOSE, contextOf(linkHash), broughtSealed).toString()))
}

function contextOf(linkHash: Uint8Array): string {
  return Buffer.from(linkHash).toString('base64url')
}
