import { z } from 'zod/mini'
import { insightPeriods, type InsightPeriod } from './lead-insights.ts'

/** The three promises, in the order of their deadlines. */
export const promiseClocks = ['acknowledgement', 'response', 'proposal'] as const

export type PromiseClock = (typeof promiseClocks)[number]

/** Weeks that are shown, the current one included. */
export const ATTAINMENT_WEEKS = 8

/** A promise in a week: `due` enquiries were answered or are overdue, `kept` of them in time. Minutes are those of the answered ones. */
const attainedWeek = z.object({
  /** Its Monday, as YYYY-MM-DD in UTC. */
  week: z.string(),
  due: z.number(),
  kept: z.number(),
  medianMinutes: z.nullable(z.number()),
  p90Minutes: z.nullable(z.number()),
})

/** Each promise with its weeks, latest first. Weeks without an enquiry are left out. */
export const attainment = z.object({
  promises: z.array(z.object({ clock: z.enum(promiseClocks), hours: z.number(), weeks: z.array(attainedWeek) })),
})

export type Attainment = z.infer<typeof attainment>

/** An enquiry whose promise was missed; `lateMinutes` is how long after the deadline, until now for one that is still open. */
export const missedPromise = z.object({
  reference: z.string(),
  name: z.string(),
  company: z.nullable(z.string()),
  isOpen: z.boolean(),
  lateMinutes: z.number(),
})

export type MissedPromise = z.infer<typeof missedPromise>

export const ATTAINMENT = '/api/leads/attainment'

export const missedUrl = (clock: PromiseClock, week: string) => `${ATTAINMENT}/missed?clock=${clock}&week=${week}`

/**
 * The stages with the enquiries of a period that came at least that far, and the median of the days that they stayed. `now` has all leads
 * that are in a stage, whenever they came. `lostReasons` are those of the lost leads of the period, the most frequent first.
 */
export const stageFunnel = z.object({
  days: z.literal([...insightPeriods]),
  stages: z.array(
    z.object({
      id: z.number(),
      name: z.string(),
      outcome: z.enum(['open', 'won', 'lost']),
      probability: z.number(),
      reached: z.number(),
      medianDays: z.nullable(z.number()),
      now: z.object({ count: z.number(), valueCents: z.number() }),
    }),
  ),
  lostReasons: z.array(z.object({ reason: z.nullable(z.string()), count: z.number(), valueCents: z.number() })),
})

export type StageFunnel = z.infer<typeof stageFunnel>

export const stageFunnelUrl = (days: InsightPeriod) => `/api/leads/funnel?days=${days}`
