import { z } from 'zod/mini'

/** An overdue enquiry: the acknowledgement by a person is due, the proposal, or both. */
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

/** The overdue counts of both promises, the count still in time for the acknowledgement, and the longest overdue enquiries. */
export const overdue = z.object({
  acknowledgement: z.number(),
  proposal: z.number(),
  inTime: z.number(),
  /** The seconds until the next deadline passes; null when no clock runs. */
  nextInSeconds: z.nullable(z.number()),
  leads: z.array(overdueLead),
})

export type Overdue = z.infer<typeof overdue>
