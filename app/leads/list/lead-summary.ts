import { z } from 'zod/mini'
import { listedConsultation, listedContact } from '#app/leads/lead/lead.ts'

/** The figures of the cards and charts on the sales dashboard. Days are calendar days in UTC. */
export const leadSummary = z.object({
  contacts: z.number(),
  consultations: z.number(),
  total: z.number(),
  conversionRate: z.number(),
  serviceTypes: z.array(z.object({ serviceType: z.string(), count: z.number() })),
  enquiriesPerDay: z.array(z.object({ date: z.string(), count: z.number() })),
  /** Enquiries without a reply from staff, and how many of them are overdue. */
  waiting: z.object({ total: z.number(), overAcknowledgement: z.number(), overResponse: z.number() }),
  quarantined: z.number(),
  latestContacts: z.array(listedContact),
  latestConsultations: z.array(listedConsultation),
})

export type LeadSummary = z.infer<typeof leadSummary>

/** Consultations per hundred contacts, in whole percent; 0 without contacts. */
export function conversionRate(consultations: number, contacts: number): number {
  return contacts === 0 ? 0 : Math.round((consultations / contacts) * 100)
}
