import { callAt } from './calls.ts'
import { terms } from './terms.ts'

/** The confirmation of an enquiry. The forms load it after sending, so it is not in their script. */
export const sentTexts = {
  what: 'Details sent',
  facts: { problem: 'Request', message: 'Message', budget: 'Budget', timeframe: 'Timeframe', email: 'We reply to' },
  when: 'When we answer',
  get steps() {
    return [
      { by: `Within ${terms.acknowledgement}`, text: 'A person confirms that they have read it.' },
      { by: `Within ${terms.response}`, text: `You get ${terms.answer}.` },
    ]
  },
  /** Before and after the reference. It is the same for every enquiry, so it does not reveal whether an email follows. */
  receipt: ['Your reference number is', 'Quote it if you email us about this.'],
  call: callAt(undefined).label,
  callText: 'Rather talk about it?',
} as const
