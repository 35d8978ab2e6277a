import { z } from 'zod'
import { seal, unseal } from '#app/platform/guard/keys.server.ts'
import type { Row } from '#db/tables.ts'

const PURPOSE = 'sign-up'

/** An account at another service whose address that service has not verified. */
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
  /** Where it began. `program`: it cannot ask for a password, and this was the only request for the address. */
  by: z.enum(['page', 'program', 'administrator']).default('page'),
  /** The password of a sign-up that can set none. A sign-in compares it, so its answer does not show which sign-ups can. */
  typedHash: z.string().optional(),
  /** Time and device of the sign-up, for its email. */
  asked: z.object({ at: z.string(), device: z.string().optional() }).optional(),
})

/** The data of a sign-up whose address is not proven yet. It belongs to the token of its own email or message, not to the account. */
export type Brought = z.infer<typeof brought>
export type BroughtIdentity = z.infer<typeof identity>

/** Bound to the link, so no other token of the account can decrypt it. */
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
