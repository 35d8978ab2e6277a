import { terms } from './terms.ts'

/** The text after a call is booked. */
export const booking = {
  title: 'Your Strategy Call is Confirmed!',
  text: `Thank you. We’ve reserved ${terms.call} for you. A calendar invitation with the exact time is on its way to your inbox.`,
  next: {
    title: 'What happens next',
    steps: [
      {
        title: 'Within a few minutes',
        text: 'A calendar invitation arrives by email. If it doesn’t, check your spam folder.',
      },
      { title: 'Before the call', text: 'We read your message and open the sites you named, so the call starts with answers.' },
      {
        get title() {
          return `Within ${terms.proposal} of the call`
        },
        text: 'You get a proposal with scope, fixed price and date. It’s free, with no commitment.',
      },
    ],
  },
  covered: {
    title: 'What will be covered',
    items: [
      'The decision you want to make, and the data you need for it',
      'Sources for that data, and whether reading them is legal',
      'Format, schedule and destination',
      'Price and date, or an honest no',
    ],
  },
  preparation: {
    title: 'How to prepare',
    items: [
      'Have two or three of the pages ready',
      'Sketch the table you want: one example row is enough',
      'Note how often you need updates, and the date of the first one',
      'Bring the person who will work with the data, if it isn’t you',
    ],
  },
  email: 'Need a different time, or have something to send us before the call?',
  home: 'Return to Homepage',
} as const
