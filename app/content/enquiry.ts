import { promisedTime } from './hours.ts'

/** The texts that the enquiry forms share. They are sent with the forms' script, so this file has nothing else. */

export const enquiryForm = {
  /** On the contact page; the other forms have their own buttons. */
  submit: 'Send Message',
  sending: 'Sending...',
  use: 'We use your message to answer you and to prepare a proposal.',
  privacy: 'Privacy policy',
  trap: 'Please leave this empty',
  unreachable: 'We couldn’t send your message. Your text is still here. Please try again in a moment.',
  offline: 'You’re offline. Your text is still here. Send it when you’re back online.',
} as const

export const enquiryFields = {
  name: { label: 'Name' },
  email: { label: 'Email' },
  country: { label: 'Country' },
  problem: { label: 'Problem', hint: 'What do you need? One line is enough.' },
  message: { label: 'Message', hint: 'Which sites, which fields, how often. Links are welcome.' },
  budget: { label: 'Budget', ask: 'Not decided' },
  timeframe: { label: 'Timeframe', ask: 'Not decided' },
} as const

/** The texts of the page and its notice after a message is sent or refused. */
export const enquiryNotices = {
  usual: {
    sent: {
      title: 'Message Sent Successfully!',
      get description() {
        return `Thank you for your inquiry. We will get back to you within ${promisedTime('response')}.`
      },
    },
    failed: { title: 'Error', description: 'Failed to send message. Please try again.' },
  },
  hire: {
    sent: {
      title: 'Message sent successfully!',
      get description() {
        return `We'll get back to you within ${promisedTime('response')} with a detailed proposal.`
      },
    },
    failed: { title: 'Error sending message', description: 'Please try again or contact us directly.' },
  },
} as const
