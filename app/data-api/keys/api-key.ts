import { z } from 'zod/mini'
import { organizationName } from '#app/organizations/organization/organization.ts'
import { atMost, oneLine } from '#app/platform/text/clean-text.ts'
import { numberText } from '#app/platform/text/english-number.ts'

export const KEYS = '/api/keys'

/** The most keys per person and month: working ones and those used in it. More would be a way around the quota. */
export const MOST_KEYS = 20

/**
 * Requests per month. A page of 10,000 rows is one request, so this is 100 million rows. A script that polls every five minutes needs
 * 8,928.
 */
export const MONTHLY_QUOTA = 10_000
/** The most that staff may set: roughly what one process can answer in a month. */
const MOST_QUOTA = 100_000_000

/** How long a replaced key keeps working, in hours. */
export const overlap = { usual: 24, most: 168 } as const

/** Seconds in which the revocation of a key can be undone. */
export const REVOCATION_UNDO = 30

/** In days: two years. Without an expiry, a key works until it is revoked. */
const LONGEST_DAYS = 730

const UUID = /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/i
const LONGEST_NAME = 60
const MOST_PRODUCTS = 100

const name = z
  .string('Name is required')
  .check(
    z.overwrite(oneLine),
    z.minLength(1, 'Name is required'),
    ...atMost(LONGEST_NAME, `Name must be at most ${LONGEST_NAME} characters`),
  )

const productId = z.string('Invalid dataset id').check(z.regex(UUID, 'Invalid dataset id'))

/** The request to create a key. Without `productIds`, it opens every dataset that its owner can access. */
export const keyBody = z.object({
  name,
  productIds: z._default(
    z.nullable(
      z
        .array(productId, 'Datasets must be a list of ids')
        .check(z.minLength(1, 'Choose at least one dataset'), z.maxLength(MOST_PRODUCTS, `At most ${MOST_PRODUCTS} datasets`)),
    ),
    null,
  ),
  expiresInDays: z._default(
    z.nullable(
      z.int('Days must be a whole number').check(z.minimum(1, 'At least one day'), z.maximum(LONGEST_DAYS, `At most ${LONGEST_DAYS} days`)),
    ),
    null,
  ),
})

export type KeyBody = z.infer<typeof keyBody>

export const keyName = z.object({ name })

export const rotation = z.object({
  overlapHours: z._default(
    z.int('Hours must be a whole number').check(z.minimum(0, 'At least 0 hours'), z.maximum(overlap.most, `At most ${overlap.most} hours`)),
    overlap.usual,
  ),
})

export const quotaBody = z.object({
  monthlyQuota: z
    .int('Enter a whole number of requests')
    .check(z.minimum(0, 'Enter 0 or more requests'), z.maximum(MOST_QUOTA, `Enter at most ${numberText(MOST_QUOTA)} requests`)),
})

/** `replaced` keys work until they expire; `expired` and `revoked` are final. */
const keyStates = ['live', 'replaced', 'expired', 'revoked'] as const

/** A key as its owner sees it, never the key itself. Times are ISO 8601. */
export const apiKey = z.object({
  id: z.string(),
  name: z.string(),
  /** The first characters, to tell keys apart. */
  prefix: z.string(),
  /** Whose datasets it opens; missing for a person alone. */
  organization: z.optional(organizationName),
  state: z.enum(keyStates),
  /** The datasets in its scope; null means all that its owner can access. Removed datasets are left out. */
  datasets: z.nullable(z.array(z.object({ id: z.string(), slug: z.string(), name: z.string() }))),
  monthlyQuota: z.number(),
  /** Requests this month (UTC). A key and its replacements share one count. */
  used: z.number(),
  replacedBy: z.nullable(z.string()),
  expiresAt: z.nullable(z.string()),
  revokedAt: z.nullable(z.string()),
  /** To the minute. */
  lastUsedAt: z.nullable(z.string()),
  createdAt: z.string(),
})

export type ApiKey = z.infer<typeof apiKey>

/** A key of an organization as its admins see it. */
export const organizationKey = z.extend(apiKey, {
  /** The address of the member whose key it is; null for a service key. */
  owner: z.nullable(z.string()),
})

export type OrganizationKey = z.infer<typeof organizationKey>

/** The only response that contains the key. */
export const madeKey = z.extend(apiKey, { key: z.string() })

export type MadeKey = z.infer<typeof madeKey>

export const usageDay = z.object({
  /** `2026-11-20`, a day in UTC. */
  date: z.string(),
  requests: z.number(),
  refused: z.number(),
  rows: z.number(),
})

export type UsageDay = z.infer<typeof usageDay>

/** Usage of a key: this month, and each of the last 30 days, oldest first. */
export const keyUsage = z.object({
  used: z.number(),
  monthlyQuota: z.number(),
  /** The start of the next month. */
  resetsAt: z.string(),
  days: z.array(usageDay),
})

export type KeyUsage = z.infer<typeof keyUsage>
