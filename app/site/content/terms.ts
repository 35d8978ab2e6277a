import { hours } from './hours.ts'

const callMinutes = 30

/** What this business promises and asks for, each figure once. Questions, pages and legal texts take it from here. */
export const terms = {
  hours,
  /** The free strategy call, on an external scheduling page. */
  call: `${callMinutes} minutes`,
  /** As an adjective: a 30-minute call. */
  callLength: `${callMinutes}-minute`,
  /** A person confirms that an enquiry was read. The automatic letter does not count. */
  acknowledgement: `${hours.acknowledgement} hours`,
  response: `${hours.response} hours`,
  proposal: `${hours.proposal} hours`,
  /** What a person answers an enquiry with: some need a question settled before they can be priced. */
  answer: 'a proposal with a fixed price and a date, or the questions we need answered first',

  /** How long the audit log keeps what has happened. */
  auditMonths: 24,

  /** The usual length of a project, as the home page and the hire page say it. The pages of single offers are more exact. */
  project: '1-3 weeks',
  /** Delivery by urgency, as the home page's questions say it. */
  delivery: {
    urgent: '24-48 hours',
    standard: '3-7 business days',
    enterprise: '1-2 weeks',
  },
  /** The range of enterprise work; belongs to the offer with custom pricing. */
  enterprise: '$2,000-$10,000+',
  returnOnInvestment: '3-10x in 6 months',

  accuracy: '99%+',
  deposit: '50%',
  /** How long what was delivered is corrected free of charge. */
  correction: '30 days',
  /** How long working copies of a client's data stay with us after delivery. */
  workingCopies: '90 days',
  analyticsKept: 'about 26 months',
} as const
