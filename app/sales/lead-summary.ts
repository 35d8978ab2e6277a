import { z } from 'zod/mini'
import { listedConsultation, listedContact } from './lead.ts'

/** What the cards and charts of the sales dashboard show. Days are of the calendar in UTC. */
export const leadSummary = z.object({
  contacts: z.number(),
  consultations: z.number(),
  total: z.number(),
  conversionRate: z.number(),
  /** Of the people who wrote in these days, how many agreed a call: a person counts once, so it cannot pass 100 %. */
  people: z.object({ days: z.number(), wrote: z.number(), agreed: z.number(), conversionRate: z.number() }),
  serviceTypes: z.array(z.object({ serviceType: z.string(), count: z.number() })),
  enquiriesPerDay: z.array(z.object({ date: z.string(), count: z.number() })),
  /** Enquiries that no person of ours has answered, and how many of them have waited longer than we promise. */
  waiting: z.object({ total: z.number(), overAcknowledgement: z.number(), overResponse: z.number() }),
  quarantined: z.number(),
  latestContacts: z.array(listedContact),
  latestConsultations: z.array(listedConsultation),
})

export type LeadSummary = z.infer<typeof leadSummary>

/** Consultations for a hundred contacts, in whole percent; 0 when there are no contacts. */
export function conversionRate(consultations: number, contacts: number): number {
  return contacts === 0 ? 0 : Math.round((consultations / contacts) * 100)
}
