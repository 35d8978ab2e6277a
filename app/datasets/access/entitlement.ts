import { z } from 'zod/mini'
import { atMost, manyLines, oneLine } from '#app/platform/text/clean-text.ts'
import { organizationName } from '#app/organizations/organization/organization.ts'
import { isoMoment } from '#app/platform/time/iso-moment.ts'
import { uuid } from '#app/platform/text/uuid.ts'

/** Requests for paid products, for staff. */
export const PRODUCT_REQUESTS = '/api/product-requests'
/** Grants, for staff. */
export const ENTITLEMENTS = '/api/entitlements'

/** In characters. */
export const entitlementLimits = { message: 2000, note: 1000, paymentReference: 140, reason: 1000 } as const

const paragraph = (label: string, most: number) =>
  z._default(
    z.string(`${label} must be text`).check(z.overwrite(manyLines), ...atMost(most, `${label} must be at most ${most} characters`)),
    '',
  )

/** A customer's message with a request. */
export const accessRequestBody = z.object({ message: paragraph('Message', entitlementLimits.message) })

export const accessReceipt = z.object({ id: z.string(), createdAt: z.string() })

/** A customer's request as staff see it. Times are ISO 8601. */
export const productRequest = z.object({
  id: z.string(),
  productId: z.string(),
  slug: z.string(),
  product: z.string(),
  /** Missing for a person alone. */
  organization: z.optional(organizationName),
  userId: z.string(),
  /** Null once the account is deleted. */
  email: z.nullable(z.string()),
  message: z.string(),
  /** The lead of this request. */
  contactId: z.nullable(z.string()),
  createdAt: z.string(),
  settledAt: z.nullable(z.string()),
  outcome: z.nullable(z.enum(['granted', 'declined'])),
})

export type ProductRequest = z.infer<typeof productRequest>

/** A grant: one of the first four fields names the receiver. An address or an account is the person alone. */
export const grantBody = z
  .object({
    email: z.optional(z.string('Email must be text').check(z.overwrite(oneLine), z.maxLength(320, 'Invalid email address'))),
    userId: z.optional(uuid('There is no such account.')),
    requestId: z.optional(uuid('There is no such request.')),
    /** Its id or its reference. */
    organization: z.optional(z.string('There is no such organization.').check(z.trim(), z.maxLength(40, 'There is no such organization.'))),
    /** Visible to staff only. */
    note: paragraph('Note', entitlementLimits.note),
    /** The bank's reference of the transfer. */
    paymentReference: z._default(
      z
        .string('Payment reference must be text')
        .check(
          z.overwrite(oneLine),
          z.maxLength(
            entitlementLimits.paymentReference,
            `Payment reference must be at most ${entitlementLimits.paymentReference} characters`,
          ),
        ),
      '',
    ),
    /** Without it, access does not end. */
    expiresAt: z.nullish(
      isoMoment('The end must be a timestamp, such as 2027-01-31T00:00:00Z').check(
        z.refine((text) => Date.parse(text) > Date.now(), 'The end must be in the future'),
      ),
    ),
  })
  .check(
    z.refine(({ email, userId, requestId, organization }) => [email, userId, requestId, organization].filter(Boolean).length === 1, {
      message: 'Set exactly one of email, userId, requestId and organization',
      path: ['email'],
    }),
  )

export type GrantBody = z.infer<typeof grantBody>

/** A grant as staff see it. */
export const entitlement = z.object({
  id: z.string(),
  productId: z.string(),
  /** Missing for a person alone. */
  organization: z.optional(organizationName),
  /** Null for a grant to the organization as a whole. */
  userId: z.nullable(z.string()),
  email: z.nullable(z.string()),
  note: z.string(),
  paymentReference: z.string(),
  expiresAt: z.nullable(z.string()),
  revokedAt: z.nullable(z.string()),
  createdAt: z.string(),
})

export type Entitlement = z.infer<typeof entitlement>

/** A grant on the page of its organization. */
export const organizationGrant = z.extend(entitlement, { slug: z.string(), product: z.string() })

/** The reason, addressed to the customer. */
export const declineBody = z.object({ reason: paragraph('Reason', entitlementLimits.reason) })
