import { z } from 'zod/mini'
import { organizationChange, organizationLimits } from '#app/organizations/organization/organization.ts'
import { atMost, oneLine } from '#app/platform/text/clean-text.ts'

const { address, countryCode, vatNumber } = organizationChange.def.shape

const text = (label: string, most: number) =>
  z.string(`${label} must be text`).check(z.overwrite(oneLine), ...atMost(most, `${label} must be at most ${most} characters`))

const line = (label: string, most: number) => z._default(text(label, most), '')

/** The fields of the order form. Facts of the organization are present only if they were missing. */
export const buyBody = z.object({
  /** The id of an offer; empty for the price of the dataset itself. */
  offer: line('Offer', 40),
  code: line('Discount code', 40),
  purchaseOrder: line('Purchase order number', 60),
  /** Named as its field is here. */
  legalName: z.optional(text('Company name', organizationLimits.legalName)),
  address: z.optional(address),
  countryCode: z.optional(countryCode),
  vatNumber: z.optional(vatNumber),
  isBusiness: z._default(z.boolean('This must be true or false'), false),
  /** For themselves, as a private person: only where we sell to them. */
  isConsumer: z._default(z.boolean('This must be true or false'), false),
  acceptsSupply: z._default(z.boolean('This must be true or false'), false),
  acceptsLicence: z._default(z.boolean('This must be true or false'), false),
  method: z._default(z.enum(['checkout', 'invoice'], 'Choose how to pay'), 'checkout'),
  /** The total that was shown, in the smallest unit. Another one is shown first. */
  expected: z.optional(z.int('The total is missing')),
})

export type BuyBody = z.infer<typeof buyBody>
