import { z } from 'zod/mini'
import { overdue } from '#app/leads/clocks/clocks.ts'
import { listedContact, ownEnquiry } from '#app/leads/lead/lead.ts'
import { type LeadSummary, leadSummary } from '#app/leads/list/lead-summary.ts'

const { conversionRate } = leadSummary.shape

/** The open tasks of staff, and the changes of the last 24 hours. */
export const staffHome = z.object({
  view: z.literal('staff'),
  overdue,
  quarantined: z.number(),
  failedLetters: z.number(),
  /** Of staff areas. Only the owner decides them, so others see none. */
  accessRequests: z.number(),
  datasetRequests: z.number(),
  /** The number of open decisions about payments that this person can make: 0 without the right. */
  paymentTasks: z.number(),
  /** Dataset versions that could not be imported and were not deleted yet. */
  failedImports: z.number(),
  lastDay: z.object({ contacts: z.number(), consultations: z.number(), newest: z.array(listedContact) }),
  /** Null before the first contact: unknown is not zero. */
  conversion: z.object({ conversionRate: z.nullable(conversionRate) }),
})

export type StaffHome = z.infer<typeof staffHome>

/** The open tasks of staff, and the counts of new enquiries and consultations. */
export type Waiting = Pick<
  StaffHome,
  'overdue' | 'failedLetters' | 'accessRequests' | 'datasetRequests' | 'paymentTasks' | 'failedImports'
> & {
  contacts: number
  consultations: number
}

/** The staff home, from the dashboard's figures and the open tasks. */
export function toStaffHome(summary: LeadSummary, waiting: Waiting, since: Date): StaffHome {
  const { quarantined, latestContacts } = summary
  const { contacts, consultations, ...open } = waiting
  const newest = latestContacts.filter(({ createdAt }) => new Date(createdAt) >= since)
  const lastDay = { contacts, consultations, newest }
  return {
    view: 'staff',
    ...open,
    quarantined,
    lastDay,
    conversion: { conversionRate: summary.contacts === 0 ? null : summary.conversionRate },
  }
}

/** A request for a dataset. */
const ownRequest = z.object({
  id: z.string(),
  slug: z.string(),
  name: z.string(),
  outcome: z.enum(['open', 'granted', 'declined']),
  createdAt: z.string(),
})

export const customerHome = z.object({ view: z.literal('customer'), enquiries: z.array(ownEnquiry), requests: z.array(ownRequest) })

export type CustomerHome = z.infer<typeof customerHome>

/**
 * The workspace home: one URL, with a view for staff and a view for customers. Not a discriminated union, whose code would also reach the
 * public forms: a module that pages share is in one chunk.
 */
export const workspaceHome = z.union([staffHome, customerHome])
