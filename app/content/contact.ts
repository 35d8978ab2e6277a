import { claims } from './claims.ts'
import { terms } from './terms.ts'

/** The texts of the contact page. */
export const contactTexts = {
  eyebrow: 'Contact',
  title: 'Tell us what you need',
  intro: `Describe the data you need. A person confirms within ${terms.acknowledgement}. Within ${terms.response} you have a plain answer: whether it can be done, how long it takes and what it costs, or what we must know first.`,
  /** The form is prefilled with this after a click on a button for a call. */
  callWish: {
    problem: 'A free strategy call',
    message: `I would like to book the free strategy call of ${terms.call}. These times suit me: `,
  },
  form: 'Your enquiry',
  next: {
    title: 'What happens next',
    /** The latest time for each step, in hours. */
    steps: [
      { hours: 0, text: 'Your enquiry is with us, and the form shows its reference number.' },
      { hours: terms.hours.acknowledgement, text: 'By now at the latest, a person has read it and told you so.' },
      { hours: terms.hours.response, text: `By now at the latest, you have our answer: ${terms.answer}.` },
    ],
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
  reasons: [
    { figure: claims.projects.value, text: 'projects delivered, from one table a month to millions of rows a day' },
    { figure: claims.accuracy.value, text: 'of values correct, checked against the source before you see them' },
    { figure: `${claims.experience.value} years`, text: 'of nothing but web data' },
    { figure: terms.project, text: 'from the deposit to the final delivery, for most projects' },
    { figure: terms.response, text: 'to our answer, at the latest' },
    { figure: '1 engineer', text: 'who answers you, writes the code and keeps it running' },
  ],
} as const
