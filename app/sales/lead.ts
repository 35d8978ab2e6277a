import { z } from 'zod/mini'

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

/** A booked or asked-for call. */
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

/** How the clock of the proposal ended: it is out, or none is owed. */
export const proposal = z.enum(['sent', 'not_needed'], 'must be sent or not_needed')

export type Proposal = z.infer<typeof proposal>

/** How far we are with an enquiry: since when it is answered, and what became of its proposal. */
export const standing = z.object({
  answeredAt: z.nullable(z.string()),
  proposal: z.nullable(proposal),
  proposalSettledAt: z.nullable(z.string()),
})

export type Standing = z.infer<typeof standing>

/** Since when the hours that we promise run: it was sent, or released from quarantine. */
const promisedFrom = z.string()

const otherContact = z.pick(listedContact, { id: true, reference: true, message: true, createdAt: true })

/** One enquiry with all that we know of it, and what else the same person wrote. */
export const wholeContact = z.extend(listedContact, {
  form: z.string(),
  country: z.string(),
  problem: z.string(),
  budget: z.nullable(z.string()),
  timeframe: z.nullable(z.string()),
  promisedFrom,
  ...standing.shape,
  quarantinedAt: z.nullable(z.string()),
  spamReasons: z.array(z.string()),
  consultationId: z.nullable(z.string()),
  others: z.array(otherContact),
})

export type WholeContact = z.infer<typeof wholeContact>

/** A customer's own enquiry: no spam marks, no notes of ours. */
export const ownEnquiry = z.extend(
  z.pick(listedContact, { id: true, reference: true, serviceType: true, message: true, createdAt: true }),
  {
    problem: z.string(),
    promisedFrom,
    /** Where it stands: received, answered by a person, a call agreed, or our proposal sent. */
    stage: z.enum(['received', 'answered', 'consultation', 'proposal']),
    owesProposal: z.boolean(),
  },
)

export type OwnEnquiry = z.infer<typeof ownEnquiry>

export const NO_SERVICE_TYPE = 'Not specified'
