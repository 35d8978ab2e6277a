import { z } from 'zod/mini'
import { manyLines, oneLine } from '#app/platform/clean-text.ts'

/** Who has asked for a product that costs, for staff. */
export const PRODUCT_REQUESTS = '/api/product-requests'
/** Who has been given one, for staff. */
export const ENTITLEMENTS = '/api/entitlements'

/** In characters. */
export const limits = { message: 2000, note: 1000, paymentReference: 140, reason: 1000 } as const

const UUID = /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/i
/** A moment with its offset from UTC, as `Date` writes it. */
const MOMENT = /^\d{4}-\d\d-\d\dT\d\d:\d\d(:\d\d(\.\d{1,6})?)?(Z|[+-]\d\d:\d\d)$/

const paragraph = (label: string, most: number) =>
  z._default(
    z.string(`${label} must be text`).check(z.overwrite(manyLines), z.maxLength(most, `${label} must be at most ${most} characters`)),
    '',
  )
const id = (sentence: string) => z.string(sentence).check(z.regex(UUID, sentence))

/** What a customer adds when they ask for a product. */
export const accessWish = z.object({ message: paragraph('Message', limits.message) })

export const accessReceipt = z.object({ id: z.string(), createdAt: z.string() })

/** A customer who asked for a product, as staff see it. Times are ISO 8601. */
export const productRequest = z.object({
  id: z.string(),
  productId: z.string(),
  slug: z.string(),
  product: z.string(),
  userId: z.string(),
  /** Null where the account has gone. */
  email: z.nullable(z.string()),
  message: z.string(),
  /** The lead that it made. */
  contactId: z.nullable(z.string()),
  createdAt: z.string(),
  settledAt: z.nullable(z.string()),
  outcome: z.nullable(z.enum(['granted', 'declined'])),
})

export type ProductRequest = z.infer<typeof productRequest>

/** What staff send to give someone a product: to whom, by one of the first three, and on what grounds. */
export const grantBody = z
  .object({
    email: z.optional(z.string('Email must be text').check(z.overwrite(oneLine), z.maxLength(320, 'Nobody has such an address'))),
    userId: z.optional(id('There is no such account.')),
    requestId: z.optional(id('There is no such request.')),
    /** For staff alone. */
    note: paragraph('Note', limits.note),
    /** What the bank calls the transfer. */
    paymentReference: z._default(
      z
        .string('Payment reference must be text')
        .check(
          z.overwrite(oneLine),
          z.maxLength(limits.paymentReference, `Payment reference must be at most ${limits.paymentReference} characters`),
        ),
      '',
    ),
    /** Without it, for good. */
    expiresAt: z.nullish(
      z.string('The end must be a moment').check(
        z.regex(MOMENT, 'The end must be a moment, such as 2027-01-31T00:00:00Z'),
        z.refine((text) => Date.parse(text) > Date.now(), 'The end must lie in the future'),
      ),
    ),
  })
  .check(
    z.refine(({ email, userId, requestId }) => [email, userId, requestId].filter(Boolean).length === 1, {
      message: 'Say who gets it: by email, userId or requestId',
      path: ['email'],
    }),
  )

export type GrantBody = z.infer<typeof grantBody>

/** Someone who has been given a product, as staff see it. */
export const entitlement = z.object({
  id: z.string(),
  productId: z.string(),
  userId: z.string(),
  email: z.nullable(z.string()),
  note: z.string(),
  paymentReference: z.string(),
  expiresAt: z.nullable(z.string()),
  revokedAt: z.nullable(z.string()),
  createdAt: z.string(),
})

export type Entitlement = z.infer<typeof entitlement>

/** Why a request is declined, in words for who asked. */
export const declineBody = z.object({ reason: paragraph('Reason', limits.reason) })
