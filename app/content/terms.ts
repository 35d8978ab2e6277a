import { hours, promisedTime } from './hours.ts'

const callMinutes = 30

/** The promises and conditions of this business, each figure once. Questions, pages and legal texts use it. */
export const terms = {
  hours,
  /** The free strategy call. */
  call: `${callMinutes} minutes`,
  /** As an adjective: a 30-minute call. */
  callLength: `${callMinutes}-minute`,
  /** Until this long before a call, its guest can change it on the site. */
  callChange: '2 hours',
  /** A person confirms that an enquiry was read. The automatic email does not count. */
  get acknowledgement() {
    return promisedTime('acknowledgement')
  },
  get response() {
    return promisedTime('response')
  },
  get proposal() {
    return promisedTime('proposal')
  },
  /** A person's reply to an enquiry: some need a question settled before they can be priced. */
  answer: 'a proposal with a fixed price and date, or our questions first',

  /** The retention of the audit log. */
  auditMonths: 24,

  /** The usual length of a project, as the home page and the hire page state it. The pages of single offers are more exact. */
  project: '1-3 weeks',
  /** Delivery by urgency, as the home page's questions state it. */
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
  /** The period of free corrections after a delivery. */
  correction: '30 days',
  /** The retention of working copies of a client's data after a delivery. */
  workingCopies: '90 days',
  analyticsKept: 'about 26 months',
} as const
