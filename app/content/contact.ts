import { claims, shownClaims } from './claims.ts'
import { terms } from './terms.ts'

/** The texts of the contact page. */
export const contactTexts = {
  eyebrow: 'Contact',
  title: 'Tell us what you need',
  get intro() {
    return `Describe the data you need. A person confirms within ${terms.acknowledgement}. Within ${terms.response}, we tell you if it can be done, how long it takes and what it costs. If we need to know more, we ask by then.`
  },
  /** The form is prefilled with this after a click on a button for a call. */
  callWish: {
    problem: 'A free strategy call',
    message: `I’d like to book the free ${terms.callLength} strategy call. These times work for me: `,
  },
  form: 'Your enquiry',
  next: {
    title: 'What happens next',
    /** Only where business hours count. */
    counted: 'These hours count only while we are open.',
    /** The latest time for each step. */
    get steps() {
      return [
        { by: 'Immediately', text: 'We have your enquiry, and the form shows your reference number.' },
        { by: `Within ${terms.acknowledgement}`, text: 'A person replies to confirm they’ve read it.' },
        { by: `Within ${terms.response}`, text: `You have our answer: ${terms.answer}.` },
      ]
    },
  },
  ways: {
    title: 'Other ways to reach us',
    email: 'Email',
    messaging: 'Messaging app',
    call: 'Call',
    professional: 'Professional network',
    social: 'Social network',
  },
  why: 'Why people choose us',
  get reasons() {
    const claimed = {
      projects: { figure: claims.projects.value, text: 'projects delivered, from one table a month to millions of rows a day' },
      accuracy: { figure: claims.accuracy.value, text: 'of values correct, checked against the source before you see them' },
      experience: { figure: `${claims.experience.value} years`, text: 'of experience with web data' },
    }
    return [
      ...shownClaims(['projects', 'accuracy', 'experience']).map((name) => claimed[name]),
      { figure: terms.project, text: 'from the deposit to the final delivery, for most projects' },
      { figure: terms.response, text: 'at most, until you have our answer' },
      { figure: '1 engineer', text: 'who answers you, writes the code and keeps it running' },
    ]
  },
} as const
