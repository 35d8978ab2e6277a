import { z } from 'zod/mini'

/** An enquiry whose time is up: for the acknowledgement by a person, for the proposal, or for both. */
export const overdueLead = z.object({
  id: z.string(),
  reference: z.string(),
  name: z.string(),
  company: z.nullable(z.string()),
  promisedFrom: z.string(),
  acknowledgement: z.boolean(),
  proposal: z.boolean(),
})

export type OverdueLead = z.infer<typeof overdueLead>

/** How many wait for each beyond its hours, how many still within those of the acknowledgement, and who has waited longest. */
export const overdue = z.object({
  acknowledgement: z.number(),
  proposal: z.number(),
  inTime: z.number(),
  /** In so many seconds one more waits too long, if nobody answers until then. */
  nextInSeconds: z.nullable(z.number()),
  leads: z.array(overdueLead),
})

export type Overdue = z.infer<typeof overdue>
