import { z } from 'zod/mini'

/** In days, today included. */
export const insightPeriods = [7, 30, 90, 365] as const

export type InsightPeriod = (typeof insightPeriods)[number]

/** `before` counts the period of the same length before; `line` is the count of each part of the period, oldest first. */
const trend = z.object({ count: z.number(), before: z.number(), line: z.array(z.number()) })
const share = z.object({ name: z.string(), count: z.number() })

/** The progress of the enquiries of a period. Quarantined ones do not count. Days are calendar days in UTC. */
export const leadInsights = z.object({
  days: z.number(),
  contacts: trend,
  consultations: trend,
  /** Of the enquiries of the period, how many got a reply, a proposal, and a consultation. */
  funnel: z.object({ received: z.number(), replied: z.number(), proposed: z.number(), consulted: z.number() }),
  /** Replies by the time they took, and enquiries without one. `inTime` are those within the first promise. */
  replies: z.object({
    inTime: z.number(),
    total: z.number(),
    medianMinutes: z.nullable(z.number()),
    times: z.array(share),
    open: z.number(),
  }),
  /** The form that was used. */
  sources: z.array(share),
  countries: z.array(share),
})

export type LeadInsights = z.infer<typeof leadInsights>

export function insightsUrl(days: InsightPeriod): string {
  return `/api/leads/insights?days=${days}`
}
