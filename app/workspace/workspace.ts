import { z } from 'zod/mini'
import { type Overdue, overdue } from '#app/sales/clocks.ts'
import { listedContact, ownEnquiry } from '#app/sales/lead.ts'
import { type LeadSummary, leadSummary } from '#app/sales/lead-summary.ts'

const { conversionRate, people } = leadSummary.shape

/** What waits for staff, and what changed since yesterday at this hour. */
export const staffHome = z.object({
  view: z.literal('staff'),
  overdue,
  quarantined: z.number(),
  failedLetters: z.number(),
  lastDay: z.object({ contacts: z.number(), consultations: z.number(), newest: z.array(listedContact) }),
  conversion: z.object({ conversionRate, people }),
})

export type StaffHome = z.infer<typeof staffHome>

/** What waits for a person of ours, and how many enquiries and consultations are new. */
export type Waiting = { overdue: Overdue; failedLetters: number; contacts: number; consultations: number }

/** What staff see, from the figures of the dashboard and from what waits. */
export function toStaffHome(summary: LeadSummary, waiting: Waiting, since: Date): StaffHome {
  const { conversionRate, people, quarantined, latestContacts } = summary
  const { overdue, failedLetters, contacts, consultations } = waiting
  const newest = latestContacts.filter(({ createdAt }) => new Date(createdAt) >= since)
  const lastDay = { contacts, consultations, newest }
  return { view: 'staff', overdue, quarantined, failedLetters, lastDay, conversion: { conversionRate, people } }
}

/** What a customer has with us. */
export const customerHome = z.object({ view: z.literal('customer'), enquiries: z.array(ownEnquiry) })

export type CustomerHome = z.infer<typeof customerHome>

/** The workspace home: one address, another view for each kind of role. */
export const workspaceHome = z.discriminatedUnion('view', [staffHome, customerHome])

export type WorkspaceHome = z.infer<typeof workspaceHome>
