import { z } from 'zod/mini'
import { storedEnquiry } from './lead-facts.ts'
import { source } from '#app/platform/http/source.ts'
import { deadlines } from './promises.ts'

/** An enquiry as the lists and exports show it. */
export const listedContact = z.object({
  id: z.string(),
  reference: z.string(),
  name: z.string(),
  email: z.string(),
  company: z.nullable(z.string()),
  serviceType: z.nullable(z.string()),
  message: z.string(),
  createdAt: z.string(),
})

export type ListedContact = z.infer<typeof listedContact>

/** A call, booked or requested. */
export const listedConsultation = z.object({
  id: z.string(),
  name: z.string(),
  email: z.string(),
  company: z.nullable(z.string()),
  phone: z.nullable(z.string()),
  projectDescription: z.string(),
  createdAt: z.string(),
})

export type ListedConsultation = z.infer<typeof listedConsultation>

/** How the proposal clock stopped: sent, or not needed. */
export const proposalMark = z.enum(['sent', 'not_needed'], 'must be sent or not_needed')

export type ProposalMark = z.infer<typeof proposalMark>

/** The status of an enquiry: when it was answered, and the result of its proposal. */
export const leadStatus = z.object({
  answeredAt: z.nullable(z.string()),
  proposal: z.nullable(proposalMark),
  proposalSettledAt: z.nullable(z.string()),
})

export type LeadStatus = z.infer<typeof leadStatus>

/** The start of the promised hours: when it was sent, or released from quarantine. */
const promisedFrom = z.string()

const { id, reference, serviceType, message, createdAt } = listedContact.shape

const otherContact = z.object({ id, reference, message, createdAt })

/** A call that the sender of an enquiry has booked. */
const bookedCall = z.object({
  id: z.string(),
  startsAt: z.string(),
  endsAt: z.string(),
  status: z.enum(['booked', 'cancelled', 'completed', 'no_show']),
})

/** One enquiry with all its data, and the calls with its sender. */
export const singleContact = z.extend(listedContact, {
  ...storedEnquiry.shape,
  promisedFrom,
  deadlines,
  withdrawnAt: z.nullable(z.string()),
  /** A lead whose stage is won or lost owes no reply. */
  closedAs: z.nullable(z.enum(['won', 'lost'])),
  ...leadStatus.shape,
  quarantinedAt: z.nullable(z.string()),
  spamReasons: z.array(z.string()),
  consultationId: z.nullable(z.string()),
  /** Missing for enquiries without a form of ours. */
  cameFrom: z.nullish(source),
  calls: z.array(bookedCall),
})

/** The same with the other enquiries of the person. */
export const wholeContact = z.extend(singleContact, { others: z.array(otherContact) })

export type WholeContact = z.infer<typeof wholeContact>

/** A customer's own enquiry, without spam reasons and internal notes. */
export const ownEnquiry = z.extend(z.object({ id, reference, serviceType, message, createdAt }), {
  problem: z.string(),
  promisedFrom,
  deadlines,
  /** The status: received, answered by a person, a call agreed, our proposal sent, withdrawn by its sender; or a decided dataset request. */
  stage: z.enum(['received', 'answered', 'consultation', 'proposal', 'withdrawn', 'granted', 'declined']),
  owesProposal: z.boolean(),
})

export type OwnEnquiry = z.infer<typeof ownEnquiry>

/** A quarantined enquiry, with the reasons. */
export const quarantined = z.object({
  id: z.string(),
  reference: z.string(),
  form: z.string(),
  name: z.string(),
  email: z.string(),
  company: z.nullable(z.string()),
  country: z.string(),
  problem: z.string(),
  message: z.string(),
  spamScore: z.number(),
  spamReasons: z.array(z.string()),
  createdAt: z.string(),
})

export type Quarantined = z.infer<typeof quarantined>
