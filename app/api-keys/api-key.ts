import { z } from 'zod/mini'
import { oneLine } from '#app/platform/clean-text.ts'

/** One's own keys of the Data API. */
export const KEYS = '/api/keys'

/** So many keys count for one person in a month: those that work, and those that have answered in it. More would be a way round the quota. */
export const MOST_KEYS = 20

/** Requests a month. A page of 10,000 rows is one request, so this is 100 million rows; a script that looks each five minutes needs 8,928. */
export const MONTHLY_QUOTA = 10_000
/** The most that staff may set: what one process answers in a month, about. */
export const MOST_QUOTA = 100_000_000

/** How long a key that was replaced works on, in hours. */
export const overlap = { usual: 24, most: 168 } as const

/** In days: two years. Without an end a key works until it is revoked. */
export const LONGEST_DAYS = 730

const UUID = /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/i
const LONGEST_NAME = 60
const MOST_PRODUCTS = 100

const name = z
  .string('Name is required')
  .check(
    z.overwrite(oneLine),
    z.minLength(1, 'Name is required'),
    z.maxLength(LONGEST_NAME, `Name must be at most ${LONGEST_NAME} characters`),
  )

const productId = z.string('A dataset is named by its id').check(z.regex(UUID, 'A dataset is named by its id'))

/** What is sent to make a key. Without `productIds` it opens all that its owner may read. */
export const keyBody = z.object({
  name,
  productIds: z._default(
    z.nullable(
      z
        .array(productId, 'Datasets are a list of ids')
        .check(z.minLength(1, 'Choose at least one dataset'), z.maxLength(MOST_PRODUCTS, `At most ${MOST_PRODUCTS} datasets`)),
    ),
    null,
  ),
  expiresInDays: z._default(
    z.nullable(
      z.int('Days are a whole number').check(z.minimum(1, 'At least one day'), z.maximum(LONGEST_DAYS, `At most ${LONGEST_DAYS} days`)),
    ),
    null,
  ),
})

export type KeyBody = z.infer<typeof keyBody>

export const keyName = z.object({ name })

export const rotation = z.object({
  overlapHours: z._default(
    z.int('Hours are a whole number').check(z.minimum(0, 'At least 0 hours'), z.maximum(overlap.most, `At most ${overlap.most} hours`)),
    overlap.usual,
  ),
})

export const quotaBody = z.object({
  monthlyQuota: z
    .int('The quota is a whole number of requests')
    .check(
      z.minimum(0, 'The quota must not be negative'),
      z.maximum(MOST_QUOTA, `The quota is at most ${MOST_QUOTA.toLocaleString('en-US')}`),
    ),
})

/** `replaced` keys work on until they expire; what is `expired` or `revoked` never works again. */
export const keyStates = ['live', 'replaced', 'expired', 'revoked'] as const

/** A key as its owner sees it: never the key itself. Times are ISO 8601. */
export const apiKey = z.object({
  id: z.string(),
  name: z.string(),
  /** Its first letters, by which it is told from others. */
  prefix: z.string(),
  state: z.enum(keyStates),
  /** The datasets that it opens; all that its owner may read when null. Those that are gone are not among them. */
  datasets: z.nullable(z.array(z.object({ id: z.string(), slug: z.string(), name: z.string() }))),
  monthlyQuota: z.number(),
  /** Requests of this month (UTC). A key and those that took its place are counted as one. */
  used: z.number(),
  replacedBy: z.nullable(z.string()),
  expiresAt: z.nullable(z.string()),
  revokedAt: z.nullable(z.string()),
  /** To the minute. */
  lastUsedAt: z.nullable(z.string()),
  createdAt: z.string(),
})

export type ApiKey = z.infer<typeof apiKey>

/** The one answer that has the key itself. */
export const madeKey = z.extend(apiKey, { key: z.string() })

export type MadeKey = z.infer<typeof madeKey>

const usageDay = z.object({
  /** `2026-11-20`, a day in UTC. */
  date: z.string(),
  requests: z.number(),
  refused: z.number(),
  rows: z.number(),
})

export type UsageDay = z.infer<typeof usageDay>

/** What a key has been used for: this month, and on each of the last 30 days, oldest first. */
export const keyUsage = z.object({
  used: z.number(),
  monthlyQuota: z.number(),
  /** When the next month begins. */
  resetsAt: z.string(),
  days: z.array(usageDay),
})

export type KeyUsage = z.infer<typeof keyUsage>
